import { streamAnswer } from '../../../../activities/model/answer/stream-answer';
import type { ModelAdapter, ModelPart } from '../../../../agent/model/adapter';
import { readInText, said } from './read-in-text';
import { TOOLS } from './tools';

const CALL = '<tool>{"server_name":"local","tool_name":"look_up","arguments":{"q":"tea"}}</tool>';
const usage: ModelPart = { type: 'usage', usage: { prompt: 100, completion: 1 } };
const finish: ModelPart = { type: 'finish', reason: 'stop' };

function ask(adapter: ModelAdapter, signal = new AbortController().signal) {
  return streamAnswer({
    config: { model: 'm', adapter },
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hi' }], turn: 0 }],
    tools: TOOLS,
    inText: {},
    call: 1,
    signal,
    onDelta: () => {},
  });
}

test('the request is aborted at the end of the first call, and the usage is an estimate', async () => {
  let aborted: AbortSignal | undefined;
  let goneOn = false;
  const adapter: ModelAdapter = {
    kind: 'test',
    provider: 'test',
    async *stream(_, { signal }) {
      aborted = signal;
      // Some providers say at once what was sent.
      yield [[usage]];
      yield [[{ type: 'text', text: `<thinking>Tea?</thinking>I look.\n${CALL.slice(0, 30)}` }]];
      yield [[{ type: 'text', text: `${CALL.slice(30)}\nResult: 3` }]];
      goneOn = true;
      yield [[finish]];
    },
  };
  const answer = await ask(adapter);
  expect(answer.toolRequests).toMatchObject([{ name: 'look_up', input: { q: 'tea' } }]);
  expect(said(answer, 'text')).toBe('I look.\n');
  expect(aborted?.aborted).toBe(true);
  expect(goneOn).toBe(false);
  const characters = `<thinking>Tea?</thinking>I look.\n${CALL}\nResult: 3`.length;
  expect(answer.usage).toEqual({ prompt: 100, completion: Math.ceil(characters / 4), estimated: true });
});

test('an adapter that does not listen to its abort is left', async () => {
  const adapter: ModelAdapter = {
    kind: 'test',
    provider: 'test',
    async *stream() {
      try {
        yield [[{ type: 'text', text: CALL }]];
      } finally {
        await new Promise(() => {});
      }
    },
  };
  expect((await ask(adapter)).toolRequests).toHaveLength(1);
});

test('an answer that has ended by itself has the usage of its provider', async () => {
  const { answer } = await readInText(
    ['Tea is a drink.'],
    [finish, { type: 'usage', usage: { prompt: 50, completion: 7 } }],
  );
  expect(answer.usage).toEqual({ prompt: 50, completion: 7 });
});

test('a cancel during a call ends the request, and keeps what was said', async () => {
  const cancel = new AbortController();
  const adapter: ModelAdapter = {
    kind: 'test',
    provider: 'test',
    async *stream(_, { signal }) {
      yield [[{ type: 'text', text: `I look.\n${CALL.slice(0, 40)}` }]];
      cancel.abort();
      if (!signal.aborted) throw new Error('not aborted');
    },
  };
  await expect(ask(adapter, cancel.signal)).rejects.toMatchObject({
    name: 'ModelCallStopped',
    partial: { parts: [{ type: 'text', text: 'I look.\n' }], usage: { estimated: true } },
  });
});

test('native calls of a model that makes them are calls', async () => {
  const call: ModelPart = { type: 'call', index: 0, name: 'look_up', arguments: '{"q":"tea"}' };
  const { answer } = await readInText(['I look. '], [call, finish]);
  expect(answer.toolRequests).toMatchObject([{ name: 'look_up', input: { q: 'tea' } }]);
});
