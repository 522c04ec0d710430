import { aiSdk } from 'holdfast/worker';
import { followed, text, user } from '../../../../adapters/exchange';
import { ask } from '../../asking';
import { lookup } from '../../lookup';
import { finish, hello, object } from '../object';

// The form of `@ai-sdk/amazon-bedrock`: an option of the system prompt and of whole messages.
const mark = { bedrock: { cachePoint: { type: 'default' } } };
const calling = [
  { type: 'tool-call', toolCallId: 'a', toolName: 'look_up', input: '{"q":"x"}' },
  { ...finish, finishReason: { unified: 'tool-calls', raw: 'tool_use' } },
];

async function promptsOf(modelId: string, settings = {}) {
  const parts: (readonly unknown[])[] = [calling, hello];
  const model = object([], {
    provider: 'amazon-bedrock',
    modelId,
    doStream: async (given: never) => {
      model.options.push(given);
      return { stream: ReadableStream.from(parts.shift() ?? []) };
    },
  });
  const config = aiSdk(model, settings);
  const messages = [user(text('hi'))];
  const answer = await ask(config, { system: 'Be brief', tools: [lookup], messages });
  messages.push(...followed(answer, [text('found')]));
  await ask(config, { system: 'Be brief', tools: [lookup], messages, call: 2 });
  return model.options.map(({ prompt }) => prompt.map(({ role, providerOptions }) => [role, providerOptions]));
}

const unmarked = undefined;

test.each(['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'anthropic.claude-3-7-sonnet-20250219-v1:0'])(
  'a cache point is after the system prompt, and after the newest message of this call and of the one before: %s',
  async (modelId) => {
    expect(await promptsOf(modelId)).toEqual([
      [
        ['system', mark],
        ['user', mark],
      ],
      [
        ['system', mark],
        ['user', mark],
        ['assistant', unmarked],
        ['tool', mark],
      ],
    ]);
  },
);

test.each([
  'anthropic.claude-v2:1',
  'anthropic.claude-3-haiku-20240307-v1:0',
  'anthropic.claude-3-5-sonnet-20240620-v1:0',
  'meta.llama3-1-70b-instruct-v1:0',
  'arn:aws:bedrock:us-east-1:1:application-inference-profile/x',
])('a model that may refuse cache points gets them on request only: %s', async (modelId) => {
  const [first] = await promptsOf(modelId);
  expect(first).toEqual([
    ['system', unmarked],
    ['user', unmarked],
  ]);
  const [marked] = await promptsOf(modelId, { promptCaching: true });
  expect(marked).toEqual([
    ['system', mark],
    ['user', mark],
  ]);
});

test('cache points are switched off', async () => {
  const [first] = await promptsOf('us.anthropic.claude-sonnet-4-5-20250929-v1:0', { promptCaching: false });
  expect(first).toEqual([
    ['system', unmarked],
    ['user', unmarked],
  ]);
});

// The package leaves out calls and results where no tool may be called: the answer would know nothing of them.
test.each([
  ['may not be called', { tools: [lookup], toolChoice: 'none' as const }],
  ['are gone', { tools: [] }],
])('calls and results are told in words where tools %s', async (_, request) => {
  const about = { provider: 'amazon-bedrock', modelId: 'amazon.nova-pro-v1:0' };
  const answer = await ask(aiSdk(object(calling, about)), { tools: [lookup] });
  const model = object(hello, about);
  await ask(aiSdk(model), { ...request, messages: [user(text('hi')), ...followed(answer, [text('found')])], call: 2 });
  const [, said, result] = model.options[0]?.prompt ?? [];
  expect(said).toMatchObject({ role: 'assistant', content: [{ type: 'text' }] });
  expect(JSON.stringify(said)).toContain('look');
  expect(result).toMatchObject({ role: 'user', content: [{ type: 'text' }, { type: 'text', text: 'found' }] });
});
