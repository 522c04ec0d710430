import { build, config, lookUp, messagesOf, PNG, result, said, text, use, user } from './sent';

describe('the request', () => {
  test('asks for a stream with usage, and leaves out what is not set', () => {
    expect(build({ messages: [user(text('hi'))] })).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test.each([
    [undefined, []],
    [null, []],
    ['', []],
    ['Be brief', [{ role: 'system', content: 'Be brief' }]],
  ])('the system prompt %p gives the messages %j', (system, expected) => {
    expect(build({ system }).messages).toEqual(expected);
  });

  test('tools go out under the names that the model uses, with their schemas unchanged', () => {
    expect(build({ tools: lookUp }).tools).toEqual([
      {
        type: 'function',
        function: { name: 'look_up', description: 'Does look.up', parameters: lookUp[0]?.inputSchema },
      },
    ]);
  });

  test('tool_choice none keeps the tools, and is left out without tools', () => {
    expect(build({ tools: lookUp, toolChoice: 'none' })).toMatchObject({ tool_choice: 'none', tools: [{}] });
    expect(build({ toolChoice: 'none' })).not.toHaveProperty('tool_choice');
  });

  test('parallel tool calls are set if the agent sets them, and left out without tools', () => {
    expect(build({ tools: lookUp, config: { ...config, parallelToolCalls: false } })).toMatchObject({
      parallel_tool_calls: false,
    });
    expect(build({ tools: lookUp })).not.toHaveProperty('parallel_tool_calls');
    expect(build({ config: { ...config, parallelToolCalls: false } })).not.toHaveProperty('parallel_tool_calls');
  });

  test('an output schema becomes a response format', () => {
    expect(build({ output: { type: 'object' } }).response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'output', schema: { type: 'object' }, strict: false },
    });
  });

  test.each([
    ['http://localhost:1/v1', 'max_tokens'],
    ['https://api.openai.com/v1', 'max_completion_tokens'],
    ['https://us.openai.azure.com/openai/v1', 'max_completion_tokens'],
    ['https://evil.example/api.openai.com', 'max_tokens'],
  ])('the greatest length of an answer of %s is %s', (baseUrl, field) => {
    const request = build({ config: { ...config, baseUrl, maxTokens: 9, temperature: 0 } });
    expect(request).toMatchObject({ [field]: 9, temperature: 0 });
    expect(Object.keys(request).filter((key) => key.startsWith('max_'))).toEqual([field]);
  });
});

test('half an emoji, as a cut of a tool or a model leaves it, is replaced: servers refuse a request with one', () => {
  const half = '\ud83d';
  const messages = [
    user(text(`a${half}`), text('whole 😀')),
    said(1, text(`${half}b`), use('t1.1', { input: { [half]: [{ deep: `c${half}` }, 1, null], ok: '😀' } })),
    result(1, 't1.1', { type: 'text', text: `d${half}` }, PNG),
  ];
  const request = build({ system: `Be brief${half}`, messages, tools: lookUp });
  expect(JSON.stringify(request)).not.toMatch(/\\ud83d/);
  expect(request.messages).toMatchObject([
    { role: 'system', content: 'Be brief\ufffd' },
    { role: 'user', content: 'a\ufffd\nwhole 😀' },
    {
      role: 'assistant',
      content: '\ufffdb',
      tool_calls: [{ function: { arguments: '{"\ufffd":[{"deep":"c\ufffd"},1,null],"ok":"😀"}' } }],
    },
    { role: 'tool' },
    { role: 'user' },
  ]);
});

describe('calls and results', () => {
  test.each([
    ['https://api.mistral.ai/v1', 'm', /^[a-zA-Z0-9]{9}$/],
    ['https://api.openai.com/v1', 'm', /^.{1,40}$/],
    ['https://us.openai.azure.com/openai/v1', 'm', /^.{1,40}$/],
    ['https://openrouter.ai/api/v1', 'anthropic/claude-sonnet-4.5', /^[\w-]+$/],
  ])('after a change of the model, ids are such as %s takes', (baseUrl, model, allowed) => {
    const uses = ['functions.look_up:0', 'x'.repeat(70), 'call_6b7cf0d5-37a1-4ad0-9d0b-0e8a5cc1e1f7'];
    const messages = [
      user(text('go')),
      said(1, ...uses.map((providerId, i) => use(`t1.${i}`, { providerId })), use('t1.9')),
      ...[0, 1, 2, 9].map((i) => result(1, `t1.${i}`)),
    ];
    const sent = messagesOf(messages, 2, { tools: lookUp, config: { ...config, baseUrl, model } });
    const called = sent.flatMap((message) => ('tool_calls' in message ? (message.tool_calls ?? []) : []));
    const ids = called.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(allowed);
    expect(sent.flatMap((message) => (message.role === 'tool' ? [message.tool_call_id] : []))).toEqual(ids);
  });

  test('elsewhere ids stay as their model gave them: some know a call by the form of its id', () => {
    const messages = [user(text('go')), said(1, use('t1.1', { providerId: 'functions.look_up:0' })), result(1, 't1.1')];
    expect(JSON.stringify(messagesOf(messages, 2, { tools: lookUp }))).toContain('"functions.look_up:0"');
  });

  test('an answer keeps its text beside its calls, and results follow it under the same ids', () => {
    const messages = [
      user(text('go')),
      said(1, text('Looking.'), use('t1.1', { providerId: 'a' }), use('t1.2')),
      result(1, 't1.1', { type: 'text', text: 'one' }, { type: 'text', text: 'two' }),
      result(1, 't1.2'),
    ];
    const call = (id: string) => ({ id, type: 'function', function: { name: 'look_up', arguments: '{"q":1}' } });
    expect(messagesOf(messages, 2, { tools: lookUp })).toEqual([
      { role: 'user', content: 'go' },
      { role: 'assistant', content: 'Looking.', tool_calls: [call('a'), call('t1.2')] },
      { role: 'tool', tool_call_id: 'a', content: 'one\ntwo' },
      { role: 'tool', tool_call_id: 't1.2', content: '(empty result)' },
    ]);
  });

  test('an answer of calls only has null as its content', () => {
    expect(messagesOf([said(1, use('t1.1'))])[0]).toMatchObject({ content: null });
  });

  test.each([
    ['nothing', []],
    ['only blanks', [text('\n\n')]],
    ['only a thought', [{ type: 'reasoning' as const, text: 'Hm.' }]],
  ])('an answer of %s is not empty: some servers refuse the request, and each one that follows', (_what, parts) => {
    expect(messagesOf([said(1, ...parts)])[0]).toEqual({ role: 'assistant', content: '(no answer)' });
  });

  test.each([
    ['given once', ['a', 'b'], ['a', 'b']],
    ['missing', [undefined, 'b'], ['t1.1', 'b']],
    ['empty', ['', ''], ['t1.1', 't2.1']],
    ['repeated', ['a', 'a'], ['a', 't2.1']],
    ['one of ours', ['t2.1', 'b'], ['t1.1', 'b']],
    ['one of ours in a later turn', ['t9.1', 'b'], ['t1.1', 'b']],
  ])('ids of the provider that are %s', (_, given, sent) => {
    const messages = given.flatMap((providerId, i) => [
      said(i + 1, use(`t${i + 1}.1`, providerId === undefined ? {} : { providerId })),
      result(i + 1, `t${i + 1}.1`),
    ]);
    const out = messagesOf(messages, 3) as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    expect(out.flatMap((message) => message.tool_calls?.map((call) => call.id) ?? [])).toEqual(sent);
    expect(out.flatMap((message) => message.tool_call_id ?? [])).toEqual(sent);
  });

  test.each([
    ['look.up', 'look_up'],
    ['made up!', 'made_up_'],
    ['x'.repeat(70), 'x'.repeat(64)],
    ['', '_'],
  ])('the tool %p is sent as %p', (name, sent) => {
    expect(messagesOf([said(1, use('t1.1', { name }))], 2, { tools: lookUp })[0]).toMatchObject({
      tool_calls: [{ function: { name: sent } }],
    });
  });
});
