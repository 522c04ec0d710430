import { ApplicationFailure, Context } from '@temporalio/activity';
import { addSpending, NO_SPENDING, plusSpending, type Spending } from '../../agent/model/cost/spending';
import { type AccountedAttempts, attemptsOf, spendingOf } from '../../agent/model/cost/spending-of';
import { isNoUsage } from '../../agent/model/cost/usage';
import type { OutputDowngrade } from '../../agent/model/structured-output';
import type { ModelHeartbeat, PartialAnswer, SpendingOfModel } from '../../agent/protocol/calls/model-call';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import { partialOf, withPartial } from './partial-answer';

/**
 * What a model call has come to over all attempts of its activity: its cost, and how the server has to be asked for
 * JSON. Each attempt reads what those before it found from the last heartbeat, and its own heartbeats say the sum: an
 * attempt that is lost with its worker still counts, as far as its last heartbeat knew. With a budget, a lost attempt
 * counts as all that it might have cost.
 */
export class CallRecord {
  #before: Spending;
  #own: () => SpendingOfModel = () => NO_SPENDING;
  #ended = false;
  #reserved: Spending | undefined;
  #downgraded: OutputDowngrade | undefined;
  #inLine: ModelHeartbeat['inLine'];
  /** Tokens that the run was told of. */
  #told: number;
  readonly #attempt: number;
  readonly #earlier: AccountedAttempts;

  constructor() {
    const { heartbeatDetails, attempt } = Context.current().info;
    this.#attempt = attempt;
    this.#told = toldIn(heartbeatDetails);
    this.#earlier = attemptsOf(heartbeatDetails);
    this.#before = spendingOf(heartbeatDetails) ?? NO_SPENDING;
    if (this.#earlier.reserved !== undefined) this.#before = this.before(this.#earlier.reserved);
    this.#downgraded = downgradeOf(heartbeatDetails);
  }

  /** What the server refused, in this attempt or in one before it. */
  get downgraded(): OutputDowngrade | undefined {
    return this.#downgraded;
  }

  downgrade(downgraded: OutputDowngrade | undefined): void {
    this.#downgraded = downgraded;
  }

  /** @param own tells what this attempt cost so far */
  follow(own: () => SpendingOfModel): void {
    this.#own = own;
  }

  /** What the attempts before this one have cost, if each lost one cost `reserved`. */
  before(reserved: Spending): Spending {
    const { settled } = this.#earlier;
    const lost = Math.max(0, this.#attempt - 1 - settled.attempts);
    if (lost === 0) return this.#before;
    return Array.from({ length: lost }, () => reserved).reduce(addSpending, settled.spending);
  }

  /** Counts lost attempts, and sets aside what this one may cost. */
  reserve(reserved: Spending): void {
    this.#before = this.before(reserved);
    this.#reserved = reserved;
  }

  /** While `wait` lasts, heartbeats say that the attempt is in line: people see why nothing happens. */
  async waitInLine<T>(model: string, wait: Promise<T>): Promise<T> {
    this.#inLine = { model, since: Date.now() };
    try {
      return await wait;
    } finally {
      this.#inLine = undefined;
    }
  }

  /** For the details of a heartbeat. */
  get heartbeat(): Pick<ModelHeartbeat, 'spending' | 'settled' | 'reserved' | 'downgraded' | 'inLine' | 'told'> {
    const { downgraded } = this;
    const spending = addSpending(this.#before, this.#own());
    return {
      ...(isNoUsage(spending.usage) ? {} : { spending }),
      ...this.#attempts(spending),
      ...defined({ downgraded, inLine: this.#inLine, told: this.#told || undefined }),
    };
  }

  /** What all attempts have cost, if the run was not told all of it. */
  get untold(): SpendingOfModel | undefined {
    const spending = addSpending(this.#before, this.#own());
    return tokensOf(spending) > this.#told ? { ...spending, ...defined({ model: this.#own().model }) } : undefined;
  }

  /** The run was told what all attempts have cost. */
  told(): void {
    this.#told = tokensOf(addSpending(this.#before, this.#own()));
  }

  /** An answer, or what is left of one, with what all attempts came to. */
  whole<Answer extends Spending>(answer: Answer): Answer & { downgraded?: OutputDowngrade } {
    const { downgraded } = this;
    return { ...plusSpending(answer, this.#before), ...defined({ downgraded }) };
  }

  /** The attempt has failed: what is left of its answer, with what all attempts came to. */
  failed(error: unknown): PartialAnswer {
    const left = partialOf(error) ?? { parts: [], ...this.#own() };
    this.#own = () => left;
    this.#ended = true;
    return this.whole(left);
  }

  /** The same failure, with what all attempts came to. */
  inFailure(error: unknown): unknown {
    const left = this.failed(error);
    const isEmpty = isNoUsage(left.usage) && left.downgraded === undefined;
    return error instanceof ApplicationFailure && !isEmpty ? withPartial(error, left) : error;
  }

  /** Which attempts are accounted for. */
  #attempts(spending: Spending): Pick<ModelHeartbeat, 'settled' | 'reserved'> {
    if (this.#ended) return { settled: { attempts: this.#attempt, spending } };
    if (this.#reserved === undefined) return this.#earlier;
    return { settled: { attempts: this.#attempt - 1, spending: this.#before }, reserved: this.#reserved };
  }
}

function downgradeOf(heartbeat: unknown): OutputDowngrade | undefined {
  if (!isJsonObject(heartbeat)) return undefined;
  const field: keyof ModelHeartbeat = 'downgraded';
  const downgraded: unknown = heartbeat[field];
  return isJsonObject(downgraded) ? (downgraded as unknown as OutputDowngrade) : undefined;
}

function tokensOf({ usage }: Spending): number {
  return usage.prompt + usage.completion;
}

function toldIn(heartbeat: unknown): number {
  const field: keyof ModelHeartbeat = 'told';
  const told: unknown = isJsonObject(heartbeat) ? heartbeat[field] : undefined;
  return typeof told === 'number' ? told : 0;
}
