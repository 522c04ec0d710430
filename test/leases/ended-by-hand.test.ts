import { askForLeases } from '../../activities/model/leases/ask-for-leases';
import { Gate, type Lease } from '../../activities/model/leases/gate';
import type { ModelLimits } from '../../agent/leases/model-limits';
import { LEASES, type LeaseRequest } from '../../agent/protocol/entities/leases';
import { SILENT_LOG } from '../../runtime/log';
import { until } from '../until';
import { stageOfGates } from './gates-stage';
import { usageOf } from './usage-of';

const { client, gates } = stageOfGates();

/** Two workers, each with a call in progress and one in line. */
async function twoWorkers(alias: string) {
  const warned: string[] = [];
  const warn = (about: object, line?: string) => void warned.push(`${JSON.stringify(about)} ${line}`);
  const begun: Lease[] = [];
  const enter = async (gate: Gate) => {
    const want = { interactive: false, tokens: 0, waited: 0, term: 600_000 };
    begun.push(await gate.enter(client(), want, new AbortController().signal));
  };
  const two = [0, 1].map(() => new Gate(alias, { concurrent: 2 }, { ...SILENT_LOG, warn }));
  gates.push(...two);
  await Promise.all(two.map(enter));
  const inLine = two.map(enter);
  await until(async () => (await usageOf(workflow(), alias)).waiting === 2, 'two calls in line');
  return { begun, inLine, warned };
}

const workflow = () => client().workflow;

test.each(['terminate', 'cancel', 'reset'] as const)(
  'after a %s of the workflow by hand the calls in progress still count, and the others stay in line',
  async (how) => {
    const { begun, inLine, warned } = await twoWorkers(how);
    const handle = workflow().getHandle(LEASES.idOf(how));
    const { runId } = await handle.describe();
    if (how === 'reset') await resetToStart(handle.workflowId, runId);
    else await handle[how]();
    await until(async () => (await handle.describe()).runId !== runId, 'the next run');
    await until(async () => {
      const { open, waiting } = await usageOf(workflow(), how);
      return Object.keys(open).length === 2 && waiting === 2;
    }, 'the calls in progress and the line');
    expect(begun).toHaveLength(2);
    for (const line of warned) expect(line).toContain(`"workflow":"${LEASES.idOf(how)}"`);
    begun[0]?.settle();
    await until(() => begun.length === 3, 'a call in line');
    begun[1]?.settle();
    await Promise.all(inLine);
    for (const lease of begun) lease.settle();
    await until(async () => Object.keys((await usageOf(workflow(), how)).open).length === 0, 'the ends to be known');
  },
);

test.each<ModelLimits>([{ requestsPerMinute: 3 }, { tokensPerMinute: 30 }, { requestsPerMinute: 3, concurrent: 5 }])(
  'what a worker has used of the last minute still counts, also if it had asked for nothing: %j',
  async (limits) => {
    const alias = `used ${Object.keys(limits)}`;
    const gate = new Gate(alias, limits, SILENT_LOG);
    gates.push(gate);
    const want = { interactive: true, tokens: 10, waited: 0, term: 600_000 };
    const enter = () => gate.enter(client(), want, new AbortController().signal);
    (await enter()).settle({ tokens: 10 });
    (await enter()).settle({ tokens: 10 });
    const inProgress = await enter();
    const used = async () => {
      const { slots, waiting } = await usageOf(workflow(), alias);
      const sum = (of: 'requests' | 'tokens') => slots.reduce((all, slot) => all + slot[of], 0);
      return { requests: sum('requests'), tokens: sum('tokens'), waiting };
    };
    await until(async () => (await used()).tokens === 30, 'the three calls to be counted');
    const handle = workflow().getHandle(LEASES.idOf(alias));
    const { runId } = await handle.describe();
    await handle.terminate();
    const next = enter().catch(() => 'still in line');
    await until(async () => (await handle.describe()).runId !== runId, 'the next run');
    await until(async () => {
      const { requests, tokens, waiting } = await used();
      return requests === 3 && tokens === 30 && waiting === 1;
    }, 'the minute to be known, and the call in line');
    inProgress.settle({ tokens: 10 });
    await gate.close();
    void next;
  },
);

test('two workers tell what they have used, and together stay within the limit', async () => {
  const limits = { requestsPerMinute: 6 };
  const two = [0, 1].map(() => new Gate('both', limits, SILENT_LOG));
  gates.push(...two);
  const want = { interactive: true, tokens: 0, waited: 0, term: 600_000 };
  let begun = 0;
  const enter = async (gate: Gate) => {
    (await gate.enter(client(), want, new AbortController().signal)).settle();
    begun++;
  };
  for (const gate of two) for (let i = 0; i < 2; i++) await enter(gate);
  await workflow().getHandle(LEASES.idOf('both')).terminate();
  const inLine = two.flatMap((gate) => [0, 1, 2].map(() => enter(gate).catch(() => undefined)));
  await until(async () => begun === 6 && (await usageOf(workflow(), 'both')).waiting === 4, 'what is left to be used');
  const { slots } = await usageOf(workflow(), 'both');
  expect(slots.reduce((sum, { requests }) => sum + requests, 0)).toBe(6);
  expect(begun).toBe(6);
  void inLine;
});

test('a question that another one of the worker has overtaken does not bring back a call that has ended', async () => {
  const ask = (more: Partial<LeaseRequest>) => {
    const request = { limits: { concurrent: 1 }, worker: 'w', wants: [], settled: [], ...more };
    return askForLeases(client(), 'overtaken', request, new AbortController().signal);
  };
  const about = { interactive: false, tokens: 0, term: 600_000 };
  await ask({ seq: 1, held: [], settled: [{ id: 'ended' }] });
  await ask({ seq: 0, held: [{ want: { id: 'ended', ...about }, since: 5000 }] });
  await until(async () => {
    const { granted } = await ask({ seq: 2, wants: [{ id: 'next', waited: 0, ...about }] });
    return granted.includes('next');
  }, 'the next call');
  expect(Object.keys((await usageOf(workflow(), 'overtaken')).open)).toEqual(['next']);
});

async function resetToStart(workflowId: string, runId: string): Promise<void> {
  const { events } = await workflow().getHandle(workflowId, runId).fetchHistory();
  const first = events?.find(({ workflowTaskCompletedEventAttributes: task }) => task != null);
  await workflow().workflowService.resetWorkflowExecution({
    namespace: 'default',
    workflowExecution: { workflowId, runId },
    reason: 'by hand',
    requestId: runId,
    workflowTaskFinishEventId: first?.eventId ?? null,
  });
}
