import type { Budget } from '../../../agent/budget/budget';
import type { Agent } from '../../../agent/define/agent-definition';
import { isAgentName } from '../../../agent/define/agent-name';
import { HoldfastError } from '../../../agent/errors/error';
import { checkRunInput } from '../../../agent/protocol/check-run-input';
import type { GivenEvent } from '../../../agent/protocol/event';
import type { RunInput } from '../../../agent/protocol/run';
import { defined } from '../../../agent/values/defined';
import type { JsonObject } from '../../../agent/values/json';
import { sha256 } from '../../../runtime/sha256';

/** Hexadecimal digits of the hash in an id: a sender must not be able to find two events that start the same run. */
const DIGITS = 32;

/** Options of a start with an event. */
export interface EventStartOptions {
  /** The run's id, which is the workflow id. Default: the agent's name and a hash of the event's `source` and `id`. */
  id?: string;
  /** Who the run belongs to. */
  owner?: string;
  /** Data of the caller, up to 64 KB. Tools and builders see it. */
  metadata?: JsonObject;
  /** What it may spend, with its child agents. Its agent's own budget applies as well. */
  budget?: Budget;
  /** The task queue of its worker. Default: that of the client. */
  taskQueue?: string;
}

/**
 * The start of a run with an event. The same event gives the same id.
 * @throws HoldfastError `InvalidAgentName`, `InvalidEvent`, `InvalidInput`
 */
export function runOfEvent(
  agent: Pick<Agent, 'name'> | string,
  event: GivenEvent,
  { id, owner, metadata, budget }: EventStartOptions,
): { name: string; id: string; input: RunInput } {
  const name = typeof agent === 'string' ? agent : agent.name;
  if (!isAgentName(name)) throw new HoldfastError('InvalidAgentName', { name: String(name) });
  const input = checkRunInput(name, {
    event,
    ...defined({ owner, metadata, budget }),
  });
  // In CloudEvents, the two together identify an event.
  return { name, id: id ?? `${name}-${sha256(JSON.stringify([event.source, event.id])).slice(0, DIGITS)}`, input };
}
