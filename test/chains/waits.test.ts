import { defineAgent, defineTool, eventService, type ServiceEvent, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { answerTo, endOf, expectWhole, outcomes, plain } from '../services/stage';
import { move } from './move';

const HOUR = 3_600_000;
/** Milliseconds that the clock of the test server may be late: it skips while nothing happens. */
const LATE = 120_000;

const keys: string[] = [];
const sent: ServiceEvent[] = [];
const pay = (approval: Parameters<typeof defineTool>[0]['approval']) =>
  defineTool({
    description: 'pays',
    inputSchema: z.object({ amount: z.number() }),
    effect: 'once',
    ...(approval === undefined ? {} : { approval }),
    execute: ({ amount }, { idempotencyKey }) => {
      keys.push(idempotencyKey ?? '');
      return `paid ${amount}`;
    },
  });
const shared = {
  tools: {
    pay: pay({ expires: '1h' }),
    dire: pay({ expires: '1h', onExpire: { escalate: ['boss'], expires: '1h' } }),
    free: pay(undefined),
  },
  services: {
    ask: signalService(plain, '1.0.0', { timeout: '1h' }),
    post: eventService(plain, '1.0.0', { outlet: 'out', timeout: '1h' }),
  },
  loopTools: ['ask_question' as const],
  questions: { ask_question: { expires: '1h' as const } },
};
const task = defineAgent({ name: 'test.waits', ...shared });
const talk = defineAgent({ name: 'test.talk', mode: 'conversation', idle: '1h', ...shared });

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const outlets = { out: (event: ServiceEvent) => void sent.push(event) };
  kit = await createAgentTestEnvironment({ agents: [task, talk], outlets });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  keys.length = 0;
  sent.length = 0;
});

const begin = async (...script: Parameters<AgentTestEnvironment['model']['script']>) => {
  kit.model.script(...script);
  return (await kit.start(task, { input: 'go' })) as RunHandle<unknown>;
};

/** Moves twice in the first half of the hour that a wait lasts. */
async function moveTwice(run: RunHandle<unknown>): Promise<void> {
  await kit.skip('10m');
  await move(kit, run);
  await kit.skip('15m');
  await move(kit, run);
}

async function expectMoves(run: RunHandle<unknown>, times: number): Promise<void> {
  expect(await kit.histories(run)).toHaveLength(times + 1);
  expect((await factsOf(run, 'run.continued')).map(({ number }) => number)).toEqual(
    Array.from({ length: times }, (_, i) => i + 1),
  );
  await expectWhole(kit, run);
}

test('an approval is given after two moves, and the call keeps its key', async () => {
  const run = await begin(call('pay', { amount: 5 }), text('done'));
  const {
    approvals: [ask],
  } = await run.waiting({ atLeast: { approvals: 1 } });
  const { chainId } = await run.state();
  await moveTwice(run);
  expect((await run.waiting()).approvals).toEqual([ask]);
  await run.approve(ask, { by: 'ann' });
  expect(await endOf(run)).toBe('done');
  expect(keys).toHaveLength(1);
  expect(keys[0]).toContain(chainId);
  expect(await factsOf(run, 'approval.requested')).toHaveLength(1);
  await expectMoves(run, 2);
});

test('an approval expires when it was to expire before the moves', async () => {
  const run = await begin(call('pay', { amount: 5 }), text('done'));
  await run.waiting({ atLeast: { approvals: 1 } });
  await moveTwice(run);
  expect(await endOf(run)).toBe('done');
  const [asked] = await factsOf(run, 'approval.requested');
  const [expired] = await factsOf(run, 'approval.expired');
  expect(Math.abs((expired?.time ?? 0) - (asked?.time ?? 0) - HOUR)).toBeLessThan(LATE);
  expect(keys).toEqual([]);
  await expectMoves(run, 2);
});

test('an approval is escalated once, also when the run moves in between', async () => {
  const run = await begin(call('dire', { amount: 5 }), text('done'));
  await run.waiting({ atLeast: { approvals: 1 } });
  await kit.skip('61m');
  expect((await run.waiting()).approvals).toMatchObject([{ escalated: true }]);
  await moveTwice(run);
  expect((await run.waiting()).approvals).toMatchObject([{ escalated: true, deciders: ['boss'] }]);
  expect(await endOf(run)).toBe('done');
  expect(await factsOf(run, 'approval.escalated')).toHaveLength(1);
  expect(await factsOf(run, 'approval.expired')).toHaveLength(1);
  await expectMoves(run, 2);
});

test('a question is answered after two moves; another expires when it was to expire', async () => {
  const ask = call('ask_question', { question: 'Which?' });
  const run = await begin(ask, ask, text('done'));
  const {
    questions: [first],
  } = await run.waiting({ atLeast: { questions: 1 } });
  await moveTwice(run);
  expect((await run.waiting()).questions).toEqual([first]);
  await run.answer(first, 'this', { by: 'ann' });
  const {
    questions: [second],
  } = await run.waiting({ atLeast: { questions: 1 } });
  expect(second.questionId).not.toBe(first.questionId);
  await moveTwice(run);
  expect(await endOf(run)).toBe('done');
  const asked = await factsOf(run, 'question.asked');
  const expired = (await factsOf(run)).find(({ type }) => type === 'question.expired');
  expect(asked).toHaveLength(2);
  expect(Math.abs((expired?.time ?? 0) - (asked[1]?.time ?? 0) - HOUR)).toBeLessThan(LATE);
  await expectMoves(run, 4);
});

test('services answer after two moves, and an event is sent once', async () => {
  const run = await begin(calls(['ask', { sku: 'a' }], ['post', { sku: 'b' }], ['free', { amount: 1 }]), text('done'));
  const { services } = await run.waiting({ atLeast: { services: 2 } });
  await moveTwice(run);
  expect((await run.waiting()).services).toEqual(services);
  await kit.client.completeService(answerTo(sent[0] as ServiceEvent));
  await move(kit, run);
  await run.workflow.signal('toolResult', { toolUseId: 't1.1', data: { left: 7 } });
  expect(await endOf(run)).toBe('done');
  expect(sent).toHaveLength(1);
  expect(keys).toHaveLength(1);
  expect(await outcomes(run)).toMatchObject({
    't1.1': expect.stringContaining('7'),
    't1.2': expect.stringContaining('3'),
  });
  expect(await factsOf(run, 'service.called')).toHaveLength(2);
  await expectMoves(run, 3);
});

test('a service without an answer times out when it was to time out', async () => {
  const run = await begin(calls(['ask', { sku: 'a' }], ['post', { sku: 'b' }]), text('done'));
  await run.waiting({ atLeast: { services: 2 } });
  await moveTwice(run);
  expect(await endOf(run)).toBe('done');
  const called = await factsOf(run, 'service.called');
  const errors = await factsOf(run, 'tool.error');
  expect(errors.map(({ error }) => error.type)).toEqual(['ServiceTimedOut', 'ServiceTimedOut']);
  for (const { time } of errors) expect(Math.abs(time - (called[0]?.time ?? 0) - HOUR)).toBeLessThan(LATE);
  expect(sent).toHaveLength(1);
  await expectMoves(run, 2);
});

test('a run that is cancelled after a move has a result for each call', async () => {
  const run = await begin(calls(['pay', { amount: 5 }], ['ask', { sku: 'a' }], ['free', { amount: 1 }]));
  await run.waiting({ atLeast: { approvals: 1, services: 1 } });
  await moveTwice(run);
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  expect(await factsOf(run, 'tool.error')).toHaveLength(2);
  await expectMoves(run, 2);
});

test('a conversation that no message reaches ends when it was to end before the moves', async () => {
  kit.model.script(text('hello'));
  const run = (await kit.start(talk, { input: 'go' })) as RunHandle<unknown>;
  await run.workflow.describe();
  const reader = run.facts();
  let ended = 0;
  for await (const { type, time } of reader) {
    if (type !== 'exchange.end') continue;
    ended = time;
    break;
  }
  await moveTwice(run);
  expect(await endOf(run)).toBe('hello');
  const [closing] = await factsOf(run, 'conversation.closing');
  expect(closing).toMatchObject({ why: 'idle' });
  expect(Math.abs((closing?.time ?? 0) - ended - HOUR)).toBeLessThan(LATE);
  await expectMoves(run, 2);
});
