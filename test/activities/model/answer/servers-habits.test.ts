import type { StreamAnswerArgs } from '../../../../activities/model/answer/stream-answer';
import type { ServerModel } from '../../../../agent/model/config';
import type { JsonObject } from '../../../../agent/values/json';
import { ask, configOf, delta, end, failureOf, model } from '../asking';
import { lookup } from '../lookup';

type Chunk = JsonObject | string;

async function answered(
  raw: readonly Chunk[],
  config: Partial<ServerModel> = {},
  args: Partial<StreamAnswerArgs> = {},
) {
  return ask(configOf(await model({ raw }), config), { tools: [lookup], ...args });
}

const piece = (fields: JsonObject) => delta({ tool_calls: [{ index: 0, ...fields }] });
const begins = (args: string | JsonObject, id = 'a') =>
  piece({ id, type: 'function', function: { name: 'look_up', arguments: args } });
const goesOn = (args: string, id?: string) =>
  piece({ ...(id === undefined ? {} : { id }), function: { arguments: args } });
const usage = (completion: number, more: JsonObject = {}): JsonObject => ({
  choices: [],
  usage: { prompt_tokens: 32, completion_tokens: completion, ...more },
});

describe('a call', () => {
  it.each<[string, readonly Chunk[]]>([
    ['with a new id in each piece', [begins('{"q":', 'a'), goesOn('"x', 'b'), goesOn('"}', 'c')]],
    ['whose arguments come again at the end', [begins(''), goesOn('{"q":'), goesOn('"x"}'), begins('{"q":"x"}')]],
    ['whose arguments come again without its name', [begins(''), goesOn('{"q":"x"}'), goesOn('{"q":"x"}')]],
    ['whose arguments come again with its id', [begins(''), goesOn('{"q":"x"}'), goesOn('{"q":"x"}', 'a')]],
    ['with `{}` before its arguments', [begins('{}'), goesOn('{"q":'), goesOn('"x"}')]],
    ['with an empty object before its arguments', [begins({}), goesOn('{"q":'), goesOn('"x"}')]],
  ])('%s is one call', async (_, chunks) => {
    const { toolRequests } = await answered([...chunks, end('tool_calls')]);
    expect(toolRequests).toEqual([expect.objectContaining({ providerId: 'a', input: { q: 'x' } })]);
    expect(toolRequests[0]?.problem).toBeUndefined();
  });

  it('is cut if it has no end and the answer took all of its tokens, whatever its server says', async () => {
    const cut = [begins(''), goesOn('{"q":"the first hal')];
    const { finishReason, toolRequests } = await answered([...cut, end('tool_calls'), usage(16)], { maxTokens: 16 });
    expect([finishReason, toolRequests[0]?.problem?.type]).toEqual(['length', 'AnswerCut']);
    const shorter = await answered([...cut, end('tool_calls'), usage(15)], { maxTokens: 16 });
    expect([shorter.finishReason, shorter.toolRequests[0]?.problem]).toEqual(['tool_calls', undefined]);
  });
});

describe('a message in the place of the last piece, as by MiniMax', () => {
  const last = (message: JsonObject, said = 'stop') => ({ choices: [{ index: 0, message, finish_reason: said }] });

  it('repeats the answer, and is not added to it', async () => {
    const message = { role: 'assistant', content: 'Hello.' };
    const { parts } = await answered([delta({ content: 'Hel' }), delta({ content: 'lo.' }), last(message)]);
    expect(parts).toEqual([{ type: 'text', text: 'Hello.' }]);
  });

  it('repeats the calls', async () => {
    const call = { index: 0, id: 'a', type: 'function', function: { name: 'look_up', arguments: '{"q":"x"}' } };
    const { toolRequests } = await answered([
      begins('{"q":'),
      goesOn('"x"}'),
      last({ role: 'assistant', content: '', tool_calls: [call] }, 'tool_calls'),
    ]);
    expect(toolRequests).toMatchObject([{ providerId: 'a', input: { q: 'x' } }]);
  });

  it('is the answer where nothing came before it', async () => {
    const { parts } = await answered([delta({ role: 'assistant' }), last({ role: 'assistant', content: 'Hello.' })]);
    expect(parts).toEqual([{ type: 'text', text: 'Hello.' }]);
  });
});

describe('an end', () => {
  it.each([
    ['content_filter: PROHIBITED_CONTENT', 'Refused'],
    ['content_filter: RECITATION', 'Refused'],
    ['function_call_filter: MALFORMED_FUNCTION_CALL', 'ModelUnavailable'],
  ])('`%s` is not an answer', async (said, type) => {
    const failure = await failureOf(answered([delta({ content: 'It was the best of' }), end(said)]));
    expect([failure.type, failure.message]).toEqual([type, expect.stringContaining(said)]);
  });

  it('may have a detail after its word', async () => {
    expect(await answered([delta({ content: 'Once' }), end('length: 16')])).toMatchObject({ finishReason: 'length' });
  });

  it('is not `null` as a text', async () => {
    const raw = (async function* () {
      yield delta({ content: 'It ' }, 'null');
      // Longer than what is waited for after an end.
      await new Promise((resolve) => setTimeout(resolve, 2500));
      yield delta({ content: 'is 42.' }, 'null');
      yield end();
    })();
    const { parts } = await ask(configOf(await model({ raw })));
    expect(parts).toEqual([{ type: 'text', text: 'It is 42.' }]);
  });
});

it.each(['data:\n\n', 'data: \n\n', 'event: keepalive\ndata:\n\n', 'event: ping\ndata: ping\n\n'])(
  'events that only keep the connection open do not appear in an answer: %j',
  async (beat) => {
    const { parts } = await answered([beat, delta({ content: 'Hel' }), beat, delta({ content: 'lo' }), beat, end()]);
    expect(parts).toEqual([{ type: 'text', text: 'Hello' }]);
  },
);

it("Mistral's reasoning is reasoning, and its tokens are believed", async () => {
  const thought = 'Let me think about it. '.repeat(800);
  const { parts, usage: used } = await answered([
    delta({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: thought }] }] }),
    delta({ content: [{ type: 'text', text: 'Yes.' }] }),
    end(),
    usage(4003, { total_tokens: 4035 }),
  ]);
  expect(parts).toEqual([
    { type: 'reasoning', text: thought },
    { type: 'text', text: 'Yes.' },
  ]);
  expect(used).toEqual({ prompt: 32, completion: 4003 });
});

it.each<[string, JsonObject, JsonObject]>([
  [
    'named, as by xAI',
    usage(9, { total_tokens: 135, completion_tokens_details: { reasoning_tokens: 94 } }),
    { completion: 103, reasoning: 94 },
  ],
  ['in the total only, as by Gemini', usage(9, { total_tokens: 5041 }), { completion: 5009, reasoning: 5000 }],
  [
    'beside a cache that the total counts too',
    usage(9, { total_tokens: 141, prompt_tokens_details: { cached_tokens: 32 } }),
    { completion: 9, cached: 32 },
  ],
])('reasoning that is counted beside the completion: %s', async (_, said, expected) => {
  const { usage: used } = await answered([delta({ content: 'Yes' }), end(), said]);
  expect(used).toEqual({ prompt: 32, ...expected });
});
