import { ApplicationFailure } from '@temporalio/common';
import type { Log } from '../../../agent/define/context';
import type { ErrorType } from '../../../agent/errors/error';
import type { ModelConfig } from '../../../agent/model/config';
import { isJsonObject } from '../../../agent/values/json';
import { ModelCallStopped } from '../answer/stream-answer';
import { retriedAfter, unavailable } from '../failures/model-failure';
import { TermsRefused } from '../output/refusals';
import { Circuit, FAILURES, OPEN, type Outcome, type Refusal } from './circuit';

export interface GuardedCall {
  /** Alias of the model. */
  alias: string;
  config: ModelConfig;
  /** Milliseconds since 1970. */
  now(): number;
  /** A person asked for it: it is made although the circuit is open. */
  isAsked?: boolean;
}

/** The circuit breakers of a worker's models. */
export class CircuitBreaker {
  readonly #circuits = new Map<string, Circuit>();

  constructor(private readonly log: Pick<Log, 'warn'>) {}

  /**
   * Refuses a call that {@link guard} would refuse now, before it waits for anything else.
   * @throws ApplicationFailure `ModelUnavailable`
   */
  check({ alias, config, now, isAsked }: GuardedCall): void {
    const refusal = this.#circuits.get(alias)?.refusal(now(), isAsked);
    if (refusal !== undefined) throw unavailable(config, textOf(refusal), refusal);
  }

  /**
   * Makes a call, unless the circuit of its model is open. `answers` tells that an answer has begun: a probe then need
   * not be complete for other calls to go on.
   * @throws ApplicationFailure `ModelUnavailable` at once where it is open. It and the failure of a call that leaves the
   * circuit open are to be retried when it lets a call through
   */
  async guard<T>({ alias, config, now, isAsked }: GuardedCall, call: (answers: () => void) => Promise<T>): Promise<T> {
    const circuit = this.#circuitOf(alias);
    const permit = circuit.enter(now(), isAsked);
    if ('wait' in permit) throw unavailable(config, textOf(permit), permit);
    let isSettled = false;
    const settle = (outcome: Outcome) => {
      if (isSettled) return;
      isSettled = true;
      const change = circuit.settle(permit, outcome, now());
      if (change !== undefined) this.#tell(alias, change, outcome);
    };
    try {
      const result = await call(() => {
        if (permit.isProbe) settle({ type: 'answered' });
      });
      settle({ type: 'answered' });
      return result;
    } catch (error) {
      const outcome = outcomeOf(error);
      settle(outcome);
      const wait = outcome.type === 'unavailable' ? circuit.waitAt(now()) : 0;
      throw error instanceof ApplicationFailure && wait > 0 ? retriedAfter(error, wait) : error;
    }
  }

  #circuitOf(alias: string): Circuit {
    const circuit = this.#circuits.get(alias) ?? new Circuit();
    this.#circuits.set(alias, circuit);
    return circuit;
  }

  #tell(alias: string, change: 'opened' | 'closed', outcome: Outcome): void {
    if (change === 'closed') {
      this.log.warn({ model: alias }, 'The circuit of a model is closed: its server answers again.');
      return;
    }
    const problem = outcome.type === 'unavailable' ? outcome.problem : '';
    this.log.warn(
      { model: alias, problem },
      `The circuit of a model is open: ${FAILURES} calls in a row failed. Further calls fail at once, until one that is let through every ${OPEN / 1000} s is answered.`,
    );
  }
}

function textOf({ since, problem, wait, isProbed }: Refusal): string {
  const next = isProbed ? 'another call is trying it' : `it lets the next call through in ${Math.ceil(wait / 1000)} s`;
  return `the circuit of this worker is open since ${new Date(since).toISOString()}, ${next}; the last call failed: ${problem}`;
}

function outcomeOf(error: unknown): Outcome {
  // Some servers call that an error of their own.
  if (error instanceof TermsRefused) return { type: 'answered' };
  if (error instanceof ModelCallStopped || !(error instanceof ApplicationFailure)) return { type: 'unknown' };
  const unreached: ErrorType = 'ModelUnavailable';
  if (error.type !== unreached) return { type: 'answered' };
  const [data] = error.details ?? [];
  if (!isJsonObject(data)) return { type: 'unavailable', problem: error.message };
  return { type: 'unavailable', problem: String(data.problem), ...(data.answered === true ? { answered: true } : {}) };
}
