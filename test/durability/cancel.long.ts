import type { Fact } from '../../agent/protocol/facts/fact';
import type { RunHandle } from '../../client/runs/run-handle';
import { newGate } from '../gate';
import type { RecordedRequest } from '../kit/model-server';
import { call, calls, fault, text } from '../kit/scripted-model';
import { until } from '../until';
import { unending } from './stage/run-scripts';
import { Stage } from './stage/stage';
import type { WorkerChild } from './stage/worker-child';

let stage: Stage;
let worker: WorkerChild;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** Cancels, waits for the end, and checks that the run reports the cancel everywhere. */
async function cancelled(run: RunHandle<unknown>): Promise<{ facts: Fact[]; took: number }> {
  const asked = Date.now();
  await run.cancel();
  await expect(run.result()).rejects.toMatchObject({ name: 'HoldfastError', type: 'Cancelled', data: { id: run.id } });
  const { status: last, closeTime } = await run.workflow.describe();
  expect(last.name).toBe('CANCELLED');
  const took = (closeTime?.getTime() ?? 0) - asked;
  const facts = await stage.checked(run);
  const { status, usage, executionUnits } = await run.state();
  expect(status).toBe('cancelled');
  expect(facts.at(-1)).toMatchObject({ type: 'loop.end', reason: 'cancelled', usage, executionUnits });
  return { facts, took };
}

const errorsOf = (facts: Fact[]) =>
  facts.flatMap((fact) => (fact.type === 'tool.error' ? [[fact.toolUseId, fact.error.type]] : []));

it('cancels a run that no worker has ever seen, as soon as one starts, without calling the model', async () => {
  const run = await stage.start('unseen', text('never'));
  await run.cancel();
  worker = await stage.worker();
  await expect(run.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect((await stage.checked(run)).map(({ type }) => type)).toEqual(['loop.end']);
  expect((await run.workflow.describe()).status.name).toBe('CANCELLED');
  expect(stage.model.requests('unseen')).toEqual([]);
});

it('closes the socket of a streaming answer at once, and keeps its text and its usage', async () => {
  const { open: sent, opened: said } = newGate();
  const run = await stage.start('streaming', call('look', { item: 'a' }), unending(['Half ', 'an answer'], sent));
  await said;
  // The sent text may not have been read yet; the first heartbeat comes a second later.
  const hasBeaten = async () =>
    (await run.workflow.describe()).raw.pendingActivities?.some(({ lastHeartbeatTime }) => lastHeartbeatTime != null);
  await until(async () => (await hasBeaten()) === true, 'a heartbeat of the model call');
  const { socketClosed } = await stage.model.arrival('streaming', 2);
  const asked = Date.now();
  const closing = socketClosed.then(() => Date.now() - asked);
  const { facts } = await cancelled(run);
  expect(await closing).toBeLessThan(1500);
  expect((await run.transcript()).at(-1)).toEqual({
    role: 'assistant',
    parts: [{ type: 'text', text: 'Half an answer' }],
    turn: 2,
    partial: true,
  });
  const usages = facts.flatMap((fact) => (fact.type === 'usage' ? [fact.usage] : []));
  expect(usages).toHaveLength(2);
  expect(usages[1]?.prompt).toBeGreaterThan(0);
  expect(usages[1]?.completion).toBeGreaterThan(0);
  expect((await run.state()).usage.prompt).toBe((usages[0]?.prompt ?? 0) + (usages[1]?.prompt ?? 0));
});

it('stops tools that obey their signal, and reports an unknown outcome of those that change something', async () => {
  const wait = { item: 'a', mode: 'wait' };
  const quick = { item: 'b' };
  const run = await stage.start('aborting', calls(['look', wait], ['put', wait], ['pay', wait], ['pay', quick]));
  for (const tool of ['look', 'put', 'pay']) await stage.started('aborting', tool);
  await stage.started('aborting', 'pay', 2);
  const { facts, took } = await cancelled(run);
  expect(
    stage
      .lines('aborting', 'aborted')
      .map(({ tool }) => tool)
      .sort(),
  ).toEqual(['look', 'pay', 'put']);
  expect(errorsOf(facts).sort()).toEqual([
    ['t1.1', 'ToolCancelled'],
    ['t1.2', 'OutcomeUnknown'],
    ['t1.3', 'OutcomeUnknown'],
  ]);
  const { unknownOutcomes } = await run.state();
  expect(unknownOutcomes.map(({ toolUseId }) => toolUseId).sort()).toEqual(['t1.2', 't1.3']);
  expect(took).toBeLessThan(2000);
});

it('waits for tools that ignore their signal for their grace, and no longer', async () => {
  const stubborn = { item: 'a', mode: 'stubborn' };
  const run = await stage.start('stubborn', calls(['look', stubborn], ['pay', stubborn]));
  for (const tool of ['look', 'pay']) await stage.started('stubborn', tool);
  const { facts, took } = await cancelled(run);
  expect(errorsOf(facts).sort()).toEqual([
    ['t1.1', 'ToolCancelled'],
    ['t1.2', 'OutcomeUnknown'],
  ]);
  expect(took).toBeGreaterThan(1900);
  expect(took).toBeLessThan(4000);
  expect(stage.lines('stubborn', 'end')).toEqual([]);
  stage.release('stubborn');
});

it('takes the result of a tool that still succeeds in its grace', async () => {
  const run = await stage.start('late', call('pay', { item: 'a', mode: 'stubborn' }));
  await stage.started('late', 'pay');
  const end = cancelled(run);
  stage.release('late');
  expect(errorsOf((await end).facts)).toEqual([]);
  expect((await run.transcript()).at(-1)?.parts).toMatchObject([
    { toolUseId: 't1.1', content: [{ text: 'pay a: done' }] },
  ]);
});

it.each(['wait', 'stubborn'] as const)('does not wait for a contextBuilder (%s)', async (mode) => {
  const run = await stage.startBuilder(`context-${mode}`, mode);
  await stage.started(run.id, 'contextBuilder');
  const { facts, took } = await cancelled(run);
  expect(facts.map(({ type }) => type)).toEqual(['loop.end']);
  expect(took).toBeLessThan(1500);
  stage.release(run.id);
});

it('keeps an answer whose check was cancelled', async () => {
  const run = await stage.startBuilder('output', 'quick', text('wait: an answer'));
  await stage.started('output', 'outputBuilder');
  const { took } = await cancelled(run);
  expect(took).toBeLessThan(1500);
  expect((await run.transcript()).at(-1)).toMatchObject({ role: 'assistant', parts: [{ text: 'wait: an answer' }] });
});

it('does not wait for the end of the pause before a retry', async () => {
  const failing = fault({ kind: 'status', status: 503, headers: { 'retry-after': '40' } });
  const run = await stage.start('pausing', failing);
  const pending = async () => (await run.workflow.describe()).raw.pendingActivities?.[0];
  await until(async () => (await pending())?.attempt === 2, 'the pause before the second attempt');
  const { took } = await cancelled(run);
  expect(took).toBeLessThan(1500);
});

describe('when the worker is lost as well', () => {
  it.each([
    ['killed', (thinking: RecordedRequest) => Promise.all([worker.kill(), thinking.socketClosed])],
    [
      'told to end',
      (thinking: RecordedRequest) => {
        worker.terminate();
        return thinking.socketClosed;
      },
    ],
  ])('ends a run as cancelled whose worker is %s', async (how, lose) => {
    const name = how.split(' ')[0] as string;
    const thinking = await stage.start(`${name}-thinking`, unending(['half']));
    const paying = await stage.start(`${name}-paying`, call('pay', { item: 'a', mode: 'stubborn' }));
    const request = await stage.model.arrival(thinking.id, 1);
    await stage.started(paying.id, 'pay');
    await lose(request);
    const ends = Promise.all([cancelled(thinking), cancelled(paying)]);
    const [, next] = await Promise.all([worker.end(), stage.worker()]);
    worker = next;
    const [, { facts }] = await ends;
    expect(errorsOf(facts)).toEqual([['t1.1', 'OutcomeUnknown']]);
    expect(stage.lines(paying.id, 'start')).toHaveLength(1);
  });
});
