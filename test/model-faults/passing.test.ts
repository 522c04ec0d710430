import {
  type AgentTestEnvironment,
  type ChatMessage,
  call,
  calls,
  fault,
  type ModelReply,
  type ScriptedModel,
  text,
} from 'holdfast/testing';
import { factsOf } from '../facts';
import type { ScriptStep } from '../kit/scripted-model';
import { clerk, faultyEnvironment } from './faulty-model';

let kit: AgentTestEnvironment;
let model: ScriptedModel;
beforeAll(async () => {
  ({ kit, model } = await faultyEnvironment());
});
afterAll(async () => {
  await kit.close();
  await model.close();
});
afterEach(() => model.reset());

const status = (code: number, headers: { [name: string]: string } = {}) =>
  fault({ kind: 'status', status: code, headers });
const said: Partial<ModelReply> = { text: 'The order was sent on Monday.' };
const ok = text('Sent on Monday.', { usage: { prompt: 9, completion: 3 } });

/** A run that must complete. */
async function completedRun(...steps: ScriptStep[]) {
  model.script(...steps);
  const run = await kit.start(clerk, { input: 'where is my order?' });
  const { data } = await run.result();
  model.assertDone();
  const transcript = await run.transcript();
  expect(transcript.some(({ partial }) => partial)).toBe(false);
  await kit.replay(run);
  return { run, data, transcript };
}

/** Each with the tokens of the answer that arrived before; none where not even a beginning did. */
it.each<[string, ScriptStep[], number | undefined]>([
  ['429 with a Retry-After of 30 s', [status(429, { 'retry-after': '30' })], undefined],
  ['503 twice', [status(503), status(503)], undefined],
  ['a cut stream', [fault({ kind: 'cut', after: 20 }, said)], 5],
  ['a stalled stream', [fault({ kind: 'stall', after: 20 }, said)], 5],
  ['a stall before the first character', [fault({ kind: 'stall', after: 0 }, said)], 0],
  ['half a chunk', [fault({ kind: 'half-chunk' })], undefined],
  ['a stream without an end', [fault({ kind: 'unfinished', after: 100 }, said)], 8],
  ['empty choices', [fault({ kind: 'no-choices' })], 0],
  ['a call that is cut in its arguments', [fault({ kind: 'cut', after: 5 }, call('lookup', { id: 'o1' }))], 3],
  ['one of each', [status(500), fault({ kind: 'cut', after: 20 }, said), status(429, { 'retry-after-ms': '50' })], 5],
])('completes after %s, whose text is in no message and whose tokens count once', async (_what, faults, arrived) => {
  const { run, data, transcript } = await completedRun(...faults, ok);
  expect(data).toBe('Sent on Monday.');
  expect(transcript).toHaveLength(2);
  expect(model.requests).toHaveLength(faults.length + 1);
  const { turn, usage } = await run.state();
  expect(turn).toBe(1);
  expect(usage).toEqual(
    arrived === undefined
      ? { prompt: 9, completion: 3 }
      : { prompt: expect.any(Number), completion: 3 + arrived, estimated: true },
  );
  if (arrived !== undefined) expect(usage.prompt).toBeGreaterThan(9);
  expect(await factsOf(run, 'usage')).toMatchObject([{ usage }]);
});

it('waits as long as a Retry-After asks', async () => {
  const { run } = await completedRun(status(429, { 'retry-after': '300' }), ok);
  const { events } = await kit.history(run);
  const times = events?.map(({ eventTime }) => Number(eventTime?.seconds)) ?? [];
  expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(299);
});

it('clears what readers have seen of a failed attempt', async () => {
  const heard: string[] = [];
  const stop = kit.bus.subscribe('cleared', (delta) => {
    heard.push(delta.type === 'stream.text' ? delta.text : delta.type);
  });
  model.script(fault({ kind: 'cut', after: 20 }, said), ok);
  await (await kit.start(clerk, { id: 'cleared', input: 'x' })).result();
  stop();
  expect(heard).toEqual(['The order was sent o', 'stream.clear', 'Sent on Monday.', 'stream.complete']);
});

it('tells the model that a call was cut at its maximum length, and runs the next call', async () => {
  const { transcript, run } = await completedRun(
    call('lookup', '{"id": "o', { finishReason: 'length', text: 'Let me look.' }),
    call('lookup', { id: 'o1' }),
    ok,
  );
  const results = transcript.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result'));
  expect(results).toMatchObject([
    { isError: true, content: [{ text: expect.stringContaining('Make the call again with shorter arguments') }] },
    { content: [{ text: 'order o1' }] },
  ]);
  expect(transcript[1]?.parts[0]).toEqual({ type: 'text', text: 'Let me look.' });
  const errors = (await factsOf(run)).flatMap((fact) => (fact.type === 'tool.error' ? [fact.error.type] : []));
  expect(errors).toEqual(['AnswerCut']);
  checkIds();
});

it('takes a text that reached its maximum length as the answer', async () => {
  const { data } = await completedRun(text('Sent on Mon', { finishReason: 'length' }));
  expect(data).toBe('Sent on Mon');
});

it.each([
  ['equal', 'call_0', 'call_0'],
  ['empty', '', ''],
  ['partly like ours', 't1.2', 't1.1'],
])('runs every call and echoes matching ids when the ids of the provider are %s', async (_what, a, b) => {
  const two = calls(['lookup', { id: 'a' }, { id: a }], ['lookup', { id: 'b' }, { id: b }]);
  const { transcript } = await completedRun(two, two, ok);
  const results = transcript.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool_result'));
  expect(results.map(({ toolUseId }) => toolUseId)).toEqual(['t1.1', 't1.2', 't2.1', 't2.2']);
  expect(results.map(({ content }) => content)).toEqual(
    ['a', 'b', 'a', 'b'].map((id) => [{ type: 'text', text: `order ${id}` }]),
  );
  checkIds();
});

/** Every result answers a call of the previous answer, every call has one result, and no id stands for two calls. */
function checkIds(): void {
  for (const { body } of model.requests) {
    const seen = new Set<string>();
    let open = new Map<string, ChatMessage>();
    for (const message of body.messages) {
      if (message.role === 'tool') {
        expect(open.delete(message.tool_call_id ?? '')).toBe(true);
        continue;
      }
      expect(open.size).toBe(0);
      const made = message.tool_calls ?? [];
      open = new Map(made.map(({ id }) => [id, message]));
      expect(open.size).toBe(made.length);
      for (const { id } of made) {
        expect(id).not.toBe('');
        expect(seen.has(id)).toBe(false);
        seen.add(id);
      }
    }
    expect(open.size).toBe(0);
  }
}
