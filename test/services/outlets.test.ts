import { ApplicationFailure } from '@temporalio/common';
import { defineAgent, eventService, type ServiceEvent } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import type { FunctionOutlet } from '../../agent/define/outlet';
import { until } from '../until';
import { answerTo, endOf, expectWhole, outcomes, plain } from './stage';

const HOUR = 3_600_000;
let upAt = 0;
let aborted = 0;
let through = false;
const attempts: { [outlet: string]: ServiceEvent[] } = {};
const noting =
  (name: string, then: FunctionOutlet): FunctionOutlet =>
  (event, ctx) => {
    attempts[name] = [...(attempts[name] ?? []), event];
    return then(event, ctx);
  };
const serverTime = () => kit.temporal.currentTimeMs();

const outlets: { [name: string]: FunctionOutlet } = {
  hangs: noting(
    'hangs',
    (_event, { signal }) =>
      new Promise((_done, fail) => {
        signal.addEventListener('abort', () => {
          aborted += 1;
          fail(new Error('told to stop'));
        });
      }),
  ),
  down: noting('down', async () => {
    if ((await serverTime()) < upAt) throw new Error('the line is dead');
    through = true;
  }),
  refuses: noting('refuses', () => {
    throw ApplicationFailure.nonRetryable('we do not take such events');
  }),
};
const agent = defineAgent({
  name: 'test.outlets',
  services: {
    hangs: eventService(plain, '1.0.0', { outlet: 'hangs' }),
    down: eventService(plain, '1.0.0', { outlet: 'down' }),
    hurried: eventService(plain, '1.0.0', { outlet: 'down', timeout: '30m' }),
    refuses: eventService(plain, '1.0.0', { outlet: 'refuses' }),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent], outlets });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  for (const name of Object.keys(attempts)) delete attempts[name];
});

async function asking(service: string): Promise<RunHandle<unknown>> {
  kit.model.script(call(service, { sku: 'a' }), text('done'));
  return (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
}

const sent = async (outlet: string) => {
  await until(() => (attempts[outlet] ?? []).length > 0, `an event by ${outlet}`);
  return attempts[outlet]?.[0] as ServiceEvent;
};

test('an outlet that is down for an hour is tried again with the same event, at growing intervals', async () => {
  upAt = (await serverTime()) + HOUR;
  const run = await asking('down');
  const event = await sent('down');
  await kit.skip('65m');
  expect(await serverTime()).toBeGreaterThan(upAt);
  await until(() => through, 'the event to be taken');
  await kit.client.completeService(answerTo(event));
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":3}' });
  const tries = attempts.down ?? [];
  expect(tries.length).toBeGreaterThan(20);
  expect(tries.length).toBeLessThan(100);
  for (const one of tries) expect(one).toEqual(event);
  await expectWhole(kit, run);
});

test('an outlet that stays down is given up when the time of the service is over', async () => {
  upAt = (await serverTime()) + 100 * HOUR;
  const run = await asking('hurried');
  expect(await endOf(run)).toBe('done');
  expect((await outcomes(run))['t1.1']).toMatch(/^(ServiceTimedOut: .*no answer within 1800 s|OutletFailed: .*dead)/);
  await expectWhole(kit, run);
});

test('an outlet that refuses for good is not tried again', async () => {
  const run = await asking('refuses');
  expect(await endOf(run)).toBe('done');
  expect((await outcomes(run))['t1.1']).toMatch(
    /^OutletFailed: `refuses` could not be reached: .*we do not take such events/,
  );
  expect(attempts.refuses).toHaveLength(1);
  await expectWhole(kit, run);
});

// Last, since this server no longer skips time once a run has ended before its activity.
test('an answer that arrives before the outlet has acknowledged the event is taken, and the sending ends', async () => {
  const run = await asking('hangs');
  await kit.client.completeService(answerTo(await sent('hangs')));
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({ 't1.1': '{"left":3}' });
  await until(() => aborted === 1, 'the end of the sending');
  await expectWhole(kit, run);
});

test('a run that is cancelled while an outlet hangs stops sending', async () => {
  const before = aborted;
  const run = await asking('hangs');
  await sent('hangs');
  await run.cancel();
  expect(await endOf(run)).toBe('Cancelled');
  await until(() => aborted === before + 1, 'the end of the sending');
  expect(await outcomes(run)).toEqual({ 't1.1': 'ToolCancelled: `hangs` was cancelled.' });
  await expectWhole(kit, run);
});
