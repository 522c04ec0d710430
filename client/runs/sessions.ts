import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { isAgentName } from '../../agent/define/agent-name';
import { HoldfastError } from '../../agent/errors/error';
import { APPROVALS } from '../../agent/protocol/entities/approvals';
import { ARCHIVE } from '../../agent/protocol/entities/archive';
import { defined } from '../../agent/values/defined';
import { is, isOwnedBy, isOwnedByAny, listWorkflows } from '../requests/visibility';
import { aboveOutages, agentsInOutages, type Listed } from './models-below';

/** The status of a run. `waiting`: it can do nothing until a person, a service or its model responds. */
export type SessionStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'terminated' | 'timed out';

/** One run as lists show it, without a worker. Times are milliseconds since 1970. */
export interface Session {
  /** The run's id. */
  id: string;
  /** The agent's name. */
  agent: string;
  /** Who it belongs to. */
  owner?: string;
  /** The title that a person gave it, or else that of its start. */
  title?: string;
  /** Its current status, or how it ended. */
  status: SessionStatus;
  /**
   * What it waits for: a decision on a call, a service's answer, an answer to a question, the next message, a model that
   * does not answer.
   */
  waits?: 'approval' | 'answer' | 'question' | 'message' | 'model';
  /** It works, and an agent that works for it, at any depth, waits for a model that does not answer. */
  agentWaits?: 'model';
  /** The run that it works for. */
  parent?: string;
  /** When it was started. */
  startedAt: number;
  /** Missing while it runs. */
  closedAt?: number;
}

/** The filters of a list of runs. */
export interface SessionFilter {
  /** Runs of this owner only. Needs the search attributes. */
  owner?: string;
  /** Runs of owners that begin with this text only. Needs the search attributes. */
  ownerPrefix?: string;
  /** Runs of this agent only. */
  agent?: string;
  /** Runs in this state only. */
  status?: SessionStatus;
  /** How many at most. Default 100. */
  limit?: number;
}

/** Memo fields of runs: lists show them, they need no registration, and they are never cut. */
export const MEMO = { owner: 'holdfastOwner', title: 'holdfastTitle' } as const;

/** By Temporal's status names. Missing ones do not belong to a run. */
const STATUS: { readonly [name: string]: Exclude<SessionStatus, 'waiting'> } = {
  RUNNING: 'running',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  TERMINATED: 'terminated',
  TIMED_OUT: 'timed out',
  PAUSED: 'running',
};

const QUERIED: { readonly [S in SessionStatus]: string } = {
  running: "ExecutionStatus = 'Running'",
  waiting: "ExecutionStatus = 'Running' AND HoldfastStatus = 'waiting'",
  completed: "ExecutionStatus = 'Completed'",
  failed: "ExecutionStatus = 'Failed'",
  cancelled: "ExecutionStatus = 'Canceled'",
  terminated: "ExecutionStatus = 'Terminated'",
  'timed out': "ExecutionStatus = 'TimedOut'",
};

/**
 * Runs by one visibility query: open ones first, by their start, then ended ones, by their end; the latest of each first.
 * @throws HoldfastError `InvalidAgentName`, `RunsNotListed`, `NoServer`
 */
export async function listSessions(client: Client, filter: SessionFilter): Promise<Session[]> {
  const { agent, limit = 100 } = filter;
  if (agent !== undefined && !isAgentName(agent)) throw new HoldfastError('InvalidAgentName', { name: agent });
  const found = new Map<string, Session>();
  const listed: Listed[] = [];
  if (limit <= 0) return [];
  for await (const info of listWorkflows(client, queryOf(filter))) {
    const session = sessionOf(info);
    // Agents that work for a run are newer, and so they come before it.
    listed.push(info);
    // After a reset, the newest run with the id is listed first.
    if (session === undefined || found.has(session.id) || !fits(session, filter)) continue;
    found.set(session.id, session);
    if (found.size >= limit) break;
  }
  const sessions = [...found.values()];
  if (!sessions.some(works)) return sessions;
  const others = agent === undefined ? [] : await agentsInOutages(client);
  const above = aboveOutages([...listed, ...others]);
  return sessions.map((one) => (works(one) && above.has(one.id) ? { ...one, agentWaits: 'model' } : one));
}

function works({ status }: Session): boolean {
  return status === 'running';
}

function queryOf({ agent, owner, ownerPrefix, status }: SessionFilter): string {
  return [
    `WorkflowType != '${APPROVALS.type}' AND WorkflowType != '${ARCHIVE.type}'`,
    status === undefined ? "ExecutionStatus != 'ContinuedAsNew'" : QUERIED[status],
    // Runs that have not waited yet have no attributes, but every run's type is the agent's name.
    ...is('WorkflowType', agent),
    ...(owner === undefined ? [] : [orNotYet(isOwnedBy(owner)[0] ?? 'HoldfastOwner IS NOT NULL')]),
    ...isOwnedByAny(ownerPrefix).map(orNotYet),
  ].join(' AND ');
}

/** A run that has not waited yet has no attributes, but its memo has its owner. */
function orNotYet(condition: string): string {
  return `(${condition} OR (HoldfastOwner IS NULL AND ExecutionStatus = 'Running'))`;
}

/** What a run says itself about its progress. */
export type Progress = Pick<Session, 'status' | 'waits'>;

/** How far a run is, as Temporal knows it. `undefined` for a status that no run has. */
export function progressOf({
  status: { name },
  searchAttributes,
}: Pick<WorkflowExecutionInfo, 'status' | 'searchAttributes'>): Progress | undefined {
  const known = STATUS[name];
  if (known === undefined) return undefined;
  // A run that was terminated could not clear its attribute.
  const waits =
    known === 'running' ? (attributeOf(searchAttributes, 'HoldfastAwaiting') as Session['waits']) : undefined;
  return { status: waits === undefined ? known : 'waiting', ...defined({ waits }) };
}

function sessionOf(info: WorkflowExecutionInfo): Session | undefined {
  const { workflowId: id, type: agent, memo = {}, searchAttributes, parentExecution, startTime, closeTime } = info;
  const progress = progressOf(info);
  // Other workflows of the namespace, such as those of services.
  if (progress === undefined || !isAgentName(agent)) return undefined;
  const owner = text(memo[MEMO.owner]) ?? attributeOf(searchAttributes, 'HoldfastOwner');
  const title = text(memo[MEMO.title]);
  return {
    id,
    agent,
    ...defined({ owner, title }),
    ...progress,
    ...(parentExecution?.workflowId ? { parent: parentExecution.workflowId } : {}),
    startedAt: startTime.getTime(),
    ...(closeTime === undefined ? {} : { closedAt: closeTime.getTime() }),
  };
}

function attributeOf(attributes: WorkflowExecutionInfo['searchAttributes'], name: string): string | undefined {
  return text(attributes[name]?.[0]);
}

/** The attribute holds only the beginning of a long owner, and some stores ignore case. */
function fits({ owner: of, status: is }: Session, { owner, ownerPrefix, status }: SessionFilter): boolean {
  if (ownerPrefix !== undefined && !of?.startsWith(ownerPrefix)) return false;
  return (owner === undefined || of === owner) && (status === undefined || is === status);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
