import type { MessageReceipt } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { ExchangeEnd, Fact } from '../../agent/protocol/facts/fact';

/** The outcome of one exchange. */
export interface ExchangeResult<Output = unknown> {
  /** The number of the exchange. */
  exchange: number;
  /** `conversing`: `data` is the agent's text, and the agent waits for the next message. */
  reason: Exclude<ExchangeEnd, 'failed'>;
  /** The answer. Missing if the exchange was interrupted or cancelled. */
  data?: Output;
}

/**
 * Reads facts until an exchange has ended.
 * @throws HoldfastError with the type that the exchange failed with; `RunEnded` if the run ended without it
 */
export async function answerOf<Output>(
  id: string,
  { exchange }: Pick<MessageReceipt, 'exchange'>,
  facts: AsyncIterable<Fact>,
  signal?: AbortSignal,
): Promise<ExchangeResult<Output>> {
  let status = 'no end is known';
  for await (const fact of facts) {
    if (fact.type === 'loop.end') status = fact.reason;
    if (fact.type !== 'exchange.end' || fact.exchange !== exchange) continue;
    const { reason, data, error } = fact;
    if (reason === 'failed') {
      throw HoldfastError.revive(error?.type ?? 'RunFailed', error?.message ?? 'The exchange failed.', error?.data);
    }
    return { exchange, reason, ...(data === undefined ? {} : { data: data as Output }) };
  }
  signal?.throwIfAborted();
  throw new HoldfastError('RunEnded', { id, status, exchange });
}
