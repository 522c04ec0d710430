import { HoldfastError } from '../../agent/errors/error';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import type { CommandRun } from '../remote/run-client';

/**
 * The outcome of an answer. `refused`: the run has taken it, and it breaks the contract. `sent`: no worker has handled it
 * yet.
 */
export type Answered =
  | { type: 'taken'; name: string }
  | { type: 'refused'; name: string; problem: string }
  | { type: 'ignored'; why: string; detail?: string }
  | { type: 'sent' };

/** Milliseconds that a worker may take to report whether the run accepted the answer. */
export const WORKER_TIMEOUT = 5000;

/**
 * Sends an answer and waits for the run's fact about it: a signal itself returns nothing. The run checks the answer against its
 * contract once all calls of the batch are answered: if that is at once, it waits for that, too.
 * @param send gets the state of the run before the answer, unless no worker tells it
 * @throws HoldfastError what `send` throws
 */
export async function followAnswer(
  run: Pick<CommandRun, 'state' | 'facts'>,
  toolUseId: string,
  send: (state: RunState | undefined) => Promise<void>,
  workerTimeout: number = WORKER_TIMEOUT,
): Promise<Answered> {
  const before = await unlessAway(() => run.state());
  await send(before);
  if (before === undefined) return { type: 'sent' };
  const isLast = before.batch.every((call) => call.toolUseId === toolUseId || call.status !== 'open');
  const signal = AbortSignal.timeout(workerTimeout);
  let answered: Answered = { type: 'sent' };
  await unlessAway(async () => {
    for await (const fact of run.facts({ after: before.facts, signal })) {
      if (isResultOf(fact, toolUseId)) {
        if (fact.type === 'tool.error' && fact.error.type === 'InvalidAnswer')
          answered = { type: 'refused', name: fact.name, problem: fact.error.message };
        return;
      }
      const outcome = answeredBy(fact, toolUseId);
      if (outcome === undefined) continue;
      answered = outcome;
      if (outcome.type === 'ignored' || !isLast) return;
    }
  });
  return answered;
}

function isResultOf(fact: Fact, toolUseId: string): fact is Extract<Fact, { type: 'tool.result' | 'tool.error' }> {
  return (fact.type === 'tool.result' || fact.type === 'tool.error') && fact.toolUseId === toolUseId;
}

/** The outcome that a fact reports for the answer to a call. */
export function answeredBy(fact: Fact, toolUseId: string): Answered | undefined {
  if (fact.type === 'service.answered' && fact.toolUseId === toolUseId) return { type: 'taken', name: fact.name };
  if (fact.type !== 'message.ignored' || (fact.toolUseId ?? toolUseId) !== toolUseId) return undefined;
  return { type: 'ignored', why: fact.why, ...defined({ detail: fact.detail }) };
}

/** `undefined` without a worker: the answer is sent anyway. */
async function unlessAway<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof HoldfastError && error.type === 'NoWorker') return undefined;
    throw error;
  }
}
