import { askForLeases } from '../../activities/model/leases/ask-for-leases';
import { Gate, type Lease } from '../../activities/model/leases/gate';
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
