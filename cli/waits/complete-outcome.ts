import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../agent/errors/error';
import type { Fact } from '../../agent/protocol/fact';
import { defined } from '../../agent/values/defined';
import { RunHandle } from '../../client/runs/run-handle';

/** What became of an answer; `sent` where no worker has looked at it yet. */
export type Answered =
  | { type: 'taken'; name: string }
  | { type: 'ignored'; why: string; detail?: string }
  | { type: 'sent' };

/** Milliseconds that a worker may take to say whether its run took the answer. */
const WORKER_TIMEOUT = 5000;

/**
 * Sends an answer and looks for what the run says of it: a signal itself tells nothing.
 * @throws HoldfastError what `send` throws
 */
export async function followAnswer(
  client: Client,
  { id, toolUseId }: { id: string; toolUseId: string },
  send: () => Promise<void>,
  workerTimeout: number = WORKER_TIMEOUT,
): Promise<Answered> {
  const run = new RunHandle(client, id, { workerTimeout });
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

/** What a fact says of the answer to a call. */
export function answeredBy(fact: Fact, toolUseId: string): Answered | undefined {
  if (fact.type === 'service.answered' && fact.toolUseId === toolUseId) return { type: 'taken', name: fact.name };
  if (fact.type !== 'message.ignored' || (fact.toolUseId ?? toolUseId) !== toolUseId) return undefined;
  return { type: 'ignored', why: fact.why, ...defined({ detail: fact.detail }) };
}

/** The answer is sent whether or not a worker is there to tell of it. */
async function unlessAway<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof HoldfastError && error.type === 'NoWorker') return undefined;
    throw error;
  }
}
