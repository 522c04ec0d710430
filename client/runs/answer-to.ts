import type { MessageReceipt } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { ExchangeEnd, Fact } from '../../agent/protocol/fact';

/** What came of one exchange. */
export interface ExchangeResult<Output = unknown> {
  /** Which one. */
  exchange: number;
  /** `conversing`: `data` is what the agent said, a text, and it waits for what is said to it. */
  reason: Exclude<ExchangeEnd, 'failed'>;
  /** The answer; missing where the exchange was interrupted or cancelled. */
  data?: Output;
}

/**
 * Reads on until an exchange has ended.
 * @throws HoldfastError with the type that the exchange failed with; `RunEnded` where the run ended without it
 */
export async function answerOf<Output>(
  id: string,
  { exchange }: Pick<MessageReceipt, 'exchange'>,
  facts: AsyncIterable<Fact>,
): Promise<ExchangeResult<Output>> {
  for await (const fact of facts) {
    if (fact.type !== 'exchange.end' || fact.exchange !== exchange) continue;
    const { reason, data, error } = fact;
    if (reason === 'failed') {
      throw HoldfastError.revive(error?.type ?? 'RunFailed', error?.message ?? 'The exchange failed.', {});
    }
    return { exchange, reason, ...(data === undefined ? {} : { data: data as Output }) };
  }
  throw new HoldfastError('RunEnded', { id, status: `without exchange ${exchange}` });
}
