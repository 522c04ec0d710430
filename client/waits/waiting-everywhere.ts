import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { type Pending, QUERY } from '../../agent/protocol/queries';
import { unlessAborted } from '../../runtime/temporal/unless-aborted';
import { patientQuery } from '../requests/patient-query';
import { is, isOwnedBy, isOwnedByAny, listWorkflows } from '../requests/visibility';
import { unlessGone } from './waiting';

/** The filters of a list of waiting runs. */
export interface WaitingFilter {
  /** Runs of this agent only. */
  agent?: string;
  /** Runs of this owner only. */
  owner?: string;
  /** Runs of owners that begin with this text only. */
  ownerPrefix?: string;
}

/** What waits for people: calls that need a decision, and questions. */
export interface WaitingForPeople extends Pick<Pending, 'approvals' | 'questions'> {
  /** How many runs wait as well, but did not answer in time: is their worker running? What they wait for is missing here. */
  unanswered: number;
}

/** Runs that are asked at once. */
const AT_ONCE = 20;
/** Milliseconds after which the next run is asked as well, so that one without a worker holds up no other. */
const NEXT_AFTER = 250;
/** Milliseconds that runs without a worker may take, all of them together. */
const SILENCE = 10_000;
/** Milliseconds in which another answer may come: a list of many runs goes on while they answer. */
const AFTER_ANSWER = 1000;

/**
 * What waits for people in all runs, the oldest first, found by one visibility query. Runs whose worker does not answer
 * are only counted.
 * @throws HoldfastError `RunsNotListed`, `NoServer`
 */
export async function waitingEverywhere(
  client: Client,
  filter: WaitingFilter,
  workerTimeout = SILENCE,
): Promise<WaitingForPeople> {
  const ids = await waitingRuns(client, filter);
  const answers = await askAll(client, ids, Math.min(workerTimeout, SILENCE));
  // The attribute holds only the beginning of a long owner, and some stores ignore case.
  const approvals = answers.flatMap((one) => one.approvals.filter((approval) => fits(approval, filter)));
  const questions = answers.flatMap((one) => one.questions.filter((question) => fits(question, filter)));
  return {
    approvals: approvals.sort((a, b) => a.requestedAt - b.requestedAt),
    questions: questions.sort((a, b) => a.askedAt - b.askedAt),
    unanswered: ids.length - answers.length,
  };
}

/** Runs that wait, those of each task queue in turn: a queue without a worker may have any number of them. */
async function waitingRuns(client: Client, filter: WaitingFilter): Promise<string[]> {
  // The attribute names one kind only, but a run may wait for both, so both are read.
  const awaiting = "HoldfastAwaiting IN ('approval', 'question')";
  const query = [awaiting, "ExecutionStatus = 'Running'", ...conditions(filter)].join(' AND ');
  const queues = new Map<string, string[]>();
  for await (const { workflowId, taskQueue } of listWorkflows(client, query)) {
    const queue = queues.get(taskQueue);
    if (queue === undefined) queues.set(taskQueue, [workflowId]);
    else queue.push(workflowId);
  }
  const rows = [...queues.values()];
  const longest = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => rows.flatMap((ids) => ids.slice(at, at + 1))).flat();
}

/** Answers of those runs that give one, at the latest `limit` milliseconds after the start, unless answers still come. */
async function askAll(client: Client, ids: readonly string[], limit: number): Promise<Pending[]> {
  const answers: Pending[] = [];
  const stop = new AbortController();
  let end = performance.now() + limit;
  let timer = setTimeout(() => stop.abort(), limit);
  const noteAnswer = () => {
    const later = performance.now() + Math.min(limit, AFTER_ANSWER);
    if (later <= end) return;
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(), later - performance.now());
    end = later;
  };
  let failure: { error: unknown } | undefined;
  const ask = async (id: string) => {
    // The time is that of all of them.
    const options = { signal: stop.signal, workerTimeout: Number.POSITIVE_INFINITY };
    const query = () => patientQuery<Pending>(client, id, QUERY.pending, options);
    try {
      answers.push(await unlessAborted(client, stop.signal, query).catch(unlessGone));
      noteAnswer();
    } catch (error) {
      if (stop.signal.aborted) return;
      failure = { error };
      stop.abort();
    }
  };
  const asked: Promise<void>[] = [];
  const left = ids.values();
  const lane = async () => {
    for (const id of left) {
      if (stop.signal.aborted) return;
      const one = ask(id);
      asked.push(one);
      await Promise.race([one, delay(NEXT_AFTER, undefined, { ref: false })]);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    await Promise.all(asked);
  } finally {
    clearTimeout(timer);
  }
  if (failure !== undefined) throw failure.error;
  return answers;
}

function conditions({ agent, owner, ownerPrefix }: WaitingFilter): string[] {
  return [...is('HoldfastAgent', agent), ...isOwnedBy(owner), ...isOwnedByAny(ownerPrefix)];
}

function fits(asked: { agent: string; owner?: string }, filter: WaitingFilter): boolean {
  if (filter.ownerPrefix !== undefined && !asked.owner?.startsWith(filter.ownerPrefix)) return false;
  return (['agent', 'owner'] as const).every((field) => filter[field] === undefined || asked[field] === filter[field]);
}
