import { ApplicationFailure, Context } from '@temporalio/activity';
import { addSpending, isNoUsage, NO_SPENDING, plusSpending, type Spending } from '../../../agent/model/answer';
import { spendingOf } from '../../../agent/model/spending-of';
import type { ModelHeartbeat, PartialAnswer } from '../../../agent/protocol/calls/model-call';
import { defined } from '../../../agent/values/defined';
import { partialOf } from '../partial-answer';

/**
 * The cost of a model call over all attempts of its activity. Each attempt reads what those before it cost from the
 * last heartbeat, and its own heartbeats say the sum: an attempt that is lost with its worker still counts, as far as
 * its last heartbeat knew.
 */
export class CallSpending {
  readonly #before: Spending;
  #own: () => Spending = () => NO_SPENDING;

  constructor() {
    this.#before = spendingOf(Context.current().info.heartbeatDetails) ?? NO_SPENDING;
  }

  /** @param own tells what this attempt cost so far */
  follow(own: () => Spending): void {
    this.#own = own;
  }

  /** For the details of a heartbeat. */
  get heartbeat(): Pick<ModelHeartbeat, 'spending'> {
    const spending = addSpending(this.#before, this.#own());
    return isNoUsage(spending.usage) ? {} : { spending };
  }

  /** An answer, or what is left of one, with the cost of the attempts before it. */
  whole<Answer extends Spending>(answer: Answer): Answer {
    return plusSpending(answer, this.#before);
  }

  /** The attempt has failed: what is left of its answer, with the cost of all attempts. */
  failed(error: unknown): PartialAnswer {
    const left = partialOf(error) ?? { parts: [], ...this.#own() };
    this.#own = () => left;
    return this.whole(left);
  }

  /** The same failure, with the cost of all attempts. */
  inFailure(error: unknown): unknown {
    const left = this.failed(error);
    if (!(error instanceof ApplicationFailure) || isNoUsage(left.usage)) return error;
    const { type, message, nonRetryable, nextRetryDelay } = error;
    return ApplicationFailure.create({
      type: type ?? '',
      message,
      nonRetryable: nonRetryable === true,
      details: [error.details?.[0] ?? null, left],
      ...defined({ nextRetryDelay: nextRetryDelay ?? undefined }),
    });
  }
}
