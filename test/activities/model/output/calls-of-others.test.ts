import { aiSdk } from 'holdfast/worker';
import type { ModelAnswer } from '../../../../agent/model/answer';
import type { Message } from '../../../../agent/model/message';
import type { JsonObject } from '../../../../agent/values/json';
import { followed, PNG, text as part, user } from '../../../adapters/exchange';
import { call, fault, text } from '../../../kit/scripted-model';
import { begins, called, events, grows, json, message, raw, said } from '../ai-sdk/raw-server';
import { ask, configOf, failureOf, model } from '../asking';
import { lookup } from '../lookup';

const hi = user(part('hi'));
const refuse = (said: string) => fault({ kind: 'status', status: 400, message: said });
const MISSING = 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 1';

/** A call of a model that the asked ones know nothing of, and its result. */
async function othersExchange(result = [part('found')]): Promise<Message[]> {
  const other = await model(call('look_up', { q: 'x' }));
  return [hi, ...followed(await ask(configOf(other), { tools: [lookup] }), result)];
}

const inWords = [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: '[called look_up with {"q":"x"}]' },
  { role: 'user', content: '[result of look_up]\nfound' },
];

describe('a server that wants the thought of each call', () => {
  test.each([
    ['Kimi', MISSING],
    ['DeepSeek', 'The `reasoning_content` in the thinking mode must be passed back to the API.'],
    ['DeepSeek, before', 'Missing `reasoning_content` field in the assistant message at message index 1.'],
    [
      'Gemini',
      'Function call is missing a thought_signature in functionCall parts. This is required for tools to work.',
    ],
    [
      'Claude behind a gateway',
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block',
    ],
  ])('gets the calls of other models as text, at once: %s', async (_server, said) => {
    const server = await model(refuse(said), text('ok'));
    const answer = await ask(configOf(server), { tools: [lookup], messages: await othersExchange(), call: 2 });
    expect(answer).toMatchObject({ parts: [{ type: 'text', text: 'ok' }] });
    expect(server.requests[0]?.body.messages[1]?.tool_calls).toHaveLength(1);
    expect(server.requests[1]?.body.messages).toEqual(inWords);
    expect(server.requests[1]?.body.tools).toHaveLength(1);
  });

  test('keeps its own calls, which have their thoughts, as calls', async () => {
    const server = await model(
      { ...call('look_up', { q: 'y' }), reasoning: 'I look again.' },
      refuse(MISSING),
      text('ok'),
    );
    const config = configOf(server);
    const others = await othersExchange();
    const own = followed(await ask(config, { tools: [lookup], messages: others, call: 2 }), [part('found too')]);
    const renamed: Message[] = JSON.parse(JSON.stringify(own).replaceAll('"t1.1"', '"t2.1"'));
    await ask(config, { tools: [lookup], messages: [...others, ...renamed], call: 3 });
    expect(server.requests.at(-1)?.body.messages).toMatchObject([
      ...inWords,
      { role: 'assistant', reasoning_content: 'I look again.', tool_calls: [{ id: 't2.1' }] },
      { role: 'tool', tool_call_id: 't2.1', content: 'found too' },
    ]);
  });

  test('is asked so from then on, with a result that has media, too', async () => {
    const server = await model(refuse(MISSING), text('ok'), text('ok'));
    const config = configOf(server);
    const asked = { tools: [lookup], messages: await othersExchange([part('found'), PNG]), call: 2 };
    await ask(config, asked);
    await ask(config, asked);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.body.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [{ text: '[result of look_up]' }, { text: 'found' }, { type: 'image_url' }],
    });
  });

  test('fails with its own words where that does not help either', async () => {
    const server = await model(refuse(MISSING), refuse(MISSING));
    const asked = { tools: [lookup], messages: await othersExchange(), call: 2 };
    expect(await failureOf(ask(configOf(server), asked))).toMatchObject({ type: 'ModelRequestInvalid' });
    expect(server.requests).toHaveLength(2);
  });

  test('another refusal of reasoning does not lead to another request', async () => {
    const server = await model(refuse("property 'reasoning_content' is unsupported"));
    const asked = { tools: [lookup], messages: await othersExchange(), call: 2 };
    await failureOf(ask(configOf(server), asked));
    expect(server.requests).toHaveLength(1);
  });
});

test('Claude that thinks takes over a call of another model, and keeps what it thinks itself', async () => {
  const refusal: JsonObject = {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message:
        'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).',
    },
  };
  const thinking = [
    begins({ type: 'thinking', thinking: '' }),
    grows({ type: 'thinking_delta', thinking: 'I look again.' }),
    grows({ type: 'signature_delta', signature: 'sig-1' }),
  ];
  const calling = events(...message([thinking, called('look_up', { q: 'y' })], { stop_reason: 'tool_use' }));
  const server = await raw(json(400, refusal), calling, events(...message([said('ok')])));
  const config = aiSdk(server.claude());
  const others = await othersExchange();
  const answer: ModelAnswer = await ask(config, { tools: [lookup], messages: others, call: 2 });
  const own: Message[] = JSON.parse(JSON.stringify(followed(answer, [part('found')])).replaceAll('"t1.1"', '"t2.1"'));
  await ask(config, { tools: [lookup], messages: [...others, ...own], call: 3 });
  expect(server.bodies).toHaveLength(3);
  expect(server.bodies[2]?.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: [{ type: 'text', text: '[called look_up with {"q":"x"}]' }] },
    { role: 'user', content: [{ text: '[result of look_up]' }, { text: 'found' }] },
    { role: 'assistant', content: [{ type: 'thinking', signature: 'sig-1' }, { type: 'tool_use' }] },
    { role: 'user', content: [{ type: 'tool_result' }] },
  ]);
});
