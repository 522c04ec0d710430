import type { Client } from '@temporalio/client';
import { isAgentName } from '../../agent/define/agent-name';
import { HoldfastError } from '../../agent/errors/error';
import type { Message } from '../../agent/model/message';
import type { Pending } from '../../agent/protocol/queries';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import { visible } from '../../agent/values/visible';
import { orHoldfastError } from '../../client/requests/client-error';
import { RunHandle } from '../../client/runs/run-handle';
import { type Progress, progressOf } from '../../client/runs/sessions';
import { inLine } from '../../client/silence/in-line';
import { pollers } from '../../runtime/temporal/pollers';
import { oneLine } from '../lines/facts/fact-line';
import { progressIn, statusText } from '../lines/waits/status-text';
import type { CommandRun } from '../remote/run-client';
import { atOneMoment } from './one-moment';
import { detailsOf } from './other-workflow';
import { type StateView, stateRows } from './state';
import { columns } from './table';
import { transcriptLines } from './transcript';

/** What Temporal itself knows about a run, without a worker. */
export interface TemporalView {
  id: string;
  runId: string;
  agent: string;
  taskQueue: string;
  /** Temporal's word, such as `RUNNING` or `TERMINATED`. */
  status: string;
  /** The same in the words of lists. */
  progress?: Progress;
  started: string;
  ended?: string;
  events: number;
  /** Activities that run or wait for their next attempt. */
  pending: PendingWork[];
}

/** `inLine`: the call waits in line for its model. */
interface PendingWork {
  name: string;
  attempt: number;
  lastFailure?: string;
  inLine?: string;
}

export interface RunView {
  /** Missing at a served address, and for a run that the server has deleted. */
  temporal?: TemporalView;
  /** Missing if no worker answered. */
  run?: StateView & { transcript: Message[] };
  /** What another workflow than a run says of itself, such as the limits of a model. */
  details?: string;
  /** The run went on during each reading, so its parts are of moments shortly after one another. */
  changing?: true;
  /** Why the run could not be queried. */
  problem?: string;
}

interface ViewOptions {
  /** Milliseconds that a worker may take to answer. */
  workerTimeout: number;
}

/**
 * Views a run: what Temporal knows, and the run's own state, which takes a worker. The archive tells of a run that the server
 * has deleted.
 * @throws HoldfastError `RunNotFound`, `NoServer`, `StorageUnavailable`
 */
export async function viewRun(client: Client, id: string, { workerTimeout }: ViewOptions): Promise<RunView> {
  const handle = new RunHandle(client, id, { workerTimeout });
  const temporal = await temporalView(client, id).catch(unlessDeleted);
  if (temporal === undefined) return toldBy(handle);
  try {
    if (await nobodyWorks(client, temporal.taskQueue))
      throw new HoldfastError('NoWorker', { taskQueue: temporal.taskQueue });
    if (!isAgentName(temporal.agent)) return { temporal, details: await detailsOf(client, temporal, workerTimeout) };
    const marking = { first: temporal, look: () => temporalView(client, id), isSame: isSameHistory };
    const { mark, read, changing } = await atOneMoment(marking, () => partsOf(handle));
    return { temporal: mark, run: read, ...(changing ? { changing } : {}) };
  } catch (error) {
    const known = orHoldfastError(error, id);
    if (known instanceof HoldfastError) return { temporal, problem: known.message };
    throw error;
  }
}

/** Nothing happened between the two: every change of a run is an event of its history. */
function isSameHistory(before: TemporalView, after: TemporalView): boolean {
  return before.runId === after.runId && before.events === after.events;
}

/**
 * What a run tells itself, without Temporal.
 * @throws HoldfastError `RunNotFound`, `NoWorker`, `NoServer`
 */
export async function toldBy(handle: ViewedRun): Promise<RunView> {
  const first = await handle.state();
  const marking = { first, look: () => handle.state(), isSame: isSameState };
  const { mark: state, read, changing } = await atOneMoment(marking, () => partsOf(handle));
  return { run: { ...read, state }, ...(changing ? { changing } : {}) };
}

/** The end of the wait for a model has no fact. */
function isSameState(before: RunState, after: RunState): boolean {
  return before.facts === after.facts && before.outage?.nextAt === after.outage?.nextAt;
}

async function partsOf(handle: ViewedRun): Promise<NonNullable<RunView['run']>> {
  const state = await handle.state();
  const waits = await waitsOf(handle, state);
  return {
    state,
    transcript: await handle.transcript(),
    waits,
    ...defined({ heldUp: await heldUpBelow(handle, waits) }),
  };
}

/** Models of agents that give no answer for long are among the waits. */
async function heldUpBelow(handle: ViewedRun, { services, models }: Pending): Promise<string | undefined> {
  const hasBelow = services.some(({ kind }) => kind === 'agent' || kind === 'child');
  if (models.length > 0 || !hasBelow) return undefined;
  return handle.problem();
}

type ViewedRun = Pick<CommandRun, 'state' | 'transcript' | 'waiting' | 'problem'>;

/** What the run and the agents that work for it wait for. */
async function waitsOf(handle: ViewedRun, { end, batch }: RunState): Promise<Pending> {
  if (end !== undefined || batch.every(({ status }) => status !== 'open'))
    return { approvals: [], services: [], questions: [], models: [] };
  return handle.waiting();
}

function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof HoldfastError && error.type === 'RunNotFound')) throw error;
}

async function temporalView(client: Client, id: string): Promise<TemporalView> {
  try {
    const described = await client.workflow.getHandle(id).describe();
    const { runId, type, taskQueue, status, startTime, closeTime, historyLength, raw } = described;
    return {
      id,
      runId,
      agent: type,
      taskQueue,
      status: status.name,
      ...defined({ progress: progressOf(described) }),
      started: startTime.toISOString(),
      ...(closeTime === undefined ? {} : { ended: closeTime.toISOString() }),
      events: historyLength,
      pending: await Promise.all((raw.pendingActivities ?? []).map((one) => workOf(client, one))),
    };
  } catch (error) {
    throw orHoldfastError(error, id);
  }
}

type Described = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['describe']>>;

async function workOf(
  client: Client,
  pending: NonNullable<Described['raw']['pendingActivities']>[number],
): Promise<PendingWork> {
  const { activityType, attempt, lastFailure } = pending;
  return {
    name: activityType?.name ?? '',
    attempt: attempt ?? 1,
    ...(lastFailure?.message ? { lastFailure: lastFailure.message } : {}),
    ...defined({ inLine: await inLine(client, pending) }),
  };
}

/** Checked first: a query to a queue without workers fails only at its timeout. */
async function nobodyWorks(client: Client, taskQueue: string): Promise<boolean> {
  try {
    return (await pollers(client.connection, client.options.namespace, taskQueue)).length === 0;
  } catch {
    // Not every server or key allows this.
    return false;
  }
}

/** A run as lines for people. */
export function runLines({ temporal, run, details, changing, problem }: RunView, full: boolean): string[] {
  const { state } = run ?? {};
  const rows: string[][] = [
    ['run', temporal?.id ?? state?.id ?? ''],
    ['agent', temporal?.agent ?? state?.agent ?? ''],
    ['status', [statusOf(defined({ temporal, run })), ...timesOf(temporal)].join(', ')],
    ...(run === undefined ? [] : stateRows(run)),
    ...(temporal?.pending ?? []).map((work, i) => [i === 0 ? 'in flight' : '', workLine(work)]),
  ];
  return [
    ...columns(rows),
    ...(run === undefined ? [] : ['', ...transcriptLines(run.transcript, full)]),
    ...(changing
      ? ['', '! The run went on while it was read: the lines above are of moments shortly after one another.']
      : []),
    ...(details === undefined ? [] : ['', ...details.split('\n').map(visible)]),
    ...(problem === undefined
      ? []
      : [
          '',
          `✗ ${problem} Only a worker can tell state and transcript; \`--tool\` reads the result of a call without one.`,
        ]),
  ];
}

function workLine({ name, attempt, lastFailure, inLine: line }: PendingWork): string {
  const why = line === undefined ? '' : `, ${line}`;
  const before = lastFailure === undefined ? '' : `; the one before: ${oneLine(visible(lastFailure), 400)}`;
  return `${name}, attempt ${attempt}${why}${before}`;
}

/** The run knows best, also without search attributes. */
function statusOf({ temporal, run }: Pick<RunView, 'temporal' | 'run'>): string {
  if (run !== undefined) return statusText(progressIn(run.state, run.waits));
  return temporal?.progress === undefined ? '' : statusText(temporal.progress);
}

function timesOf(temporal: TemporalView | undefined): string[] {
  if (temporal === undefined) return [];
  const { started, ended, events } = temporal;
  const when = ended === undefined ? `started ${started}` : `from ${started} to ${ended}`;
  return [when, `${events} events of history`];
}
