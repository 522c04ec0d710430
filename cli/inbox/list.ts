import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { CommandClient } from '../remote/run-client';
import { printedCommand } from '../terminal/printed-command';
import { isQuestion, type Waiting } from './lines';

/** The filters of the inbox. */
export interface InboxFilter {
  agent?: string;
  owner?: string;
  /** One run and the agents that work for it; needs no search attributes. */
  run?: string;
}

/** What waits, and how many runs did not say what they wait for. */
export interface Listed {
  waiting: Waiting[];
  unanswered: number;
}

/** What waits, or why it cannot be listed. */
export type Found = Listed | { problem: string };

/**
 * All calls and questions that wait for a person, the oldest first.
 * @throws HoldfastError `RunNotFound`, `NoWorker`, `NoServer`
 */
export async function findWaiting(client: CommandClient, { run, agent, owner }: InboxFilter): Promise<Found> {
  if (run !== undefined) {
    const handle = client.get(run);
    const fits = (waiting: Waiting) =>
      (agent === undefined || waiting.agent === agent) && (owner === undefined || waiting.owner === owner);
    const { approvals, questions } = await handle.waiting();
    return { waiting: inOrder([...approvals, ...questions].filter(fits)), unanswered: 0 };
  }
  try {
    const filter = { ...defined({ agent, owner }) };
    const { approvals, questions, unanswered } = await client.waiting(filter);
    return { waiting: inOrder([...approvals, ...questions]), unanswered };
  } catch (error) {
    if (!(error instanceof HoldfastError && error.type === 'RunsNotListed')) throw error;
    return {
      problem: `${error.message} \`${printedCommand('inbox', '--run')}\`, with the id of a run, works without search attributes.`,
    };
  }
}

function inOrder(all: Waiting[]): Waiting[] {
  const since = (waiting: Waiting) => (isQuestion(waiting) ? waiting.askedAt : waiting.requestedAt);
  return all.sort((a, b) => since(a) - since(b));
}
