import { HoldfastError } from '../../agent/errors/error';
import type { Fact } from '../../agent/protocol/facts/fact';
import { defined } from '../../agent/values/defined';
import type { CommandRun } from '../remote/run-client';

/** The outcome of an answer. `sent`: no worker has handled it yet. */
export type Answered =
  | { type: 'taken'; name: string }
  | { type: 'ignored'; why: string; detail?: string }
  | { type: 'sent' };

/** Milliseconds that a worker may take to report whether the run accepted the answer. */
export const WORKER_TIMEOUT = 5000;

/**
 * Sends an answer and waits for the run's fact about it: a signal itself returns nothing.
 * @throws HoldfastError what `send` throws
 */
export async function followAnswer(
  run: Pick<CommandRun, 'state' | 'facts'>,
  toolUseId: string,
  send: () => Promise<void>,
  workerTimeout: number = WORKER_TIMEOUT,
): Promise<Answered> {
  const before = await unlessAway(async () => (await run.state()).facts);
  await send();
  if (before === undefined) return { type: 'sent' };
  const signal = AbortSignal.timeout(workerTimeout);
  const found = await unlessAway(async () => {
    for await (const fact of run.facts({ after: before, signal })) {
      const answered = answeredBy(fact, toolUseId);
      if (answered !== undefined) return answered;
    }
    return undefined;
  });
  return found ?? { type: 'sent' };
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
