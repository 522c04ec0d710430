import type { Finding } from '../../analysis/analyse-answer';
import type { BreakerStop } from '../../state/breaker-state';

/** Facts about a model that makes no progress, and about answers that are not accepted because of that. */
export type BreakerFact =
  /** The answer was not accepted, and the model was asked to go on. `number` counts such answers of one kind. */
  | ({ type: 'answer.nudged'; turn: number; number: number } & (Finding | { why: 'empty' }))
  /** The model gave no answer even to the last request. A fixed text takes its place. */
  | { type: 'answer.replaced'; turn: number; text: string }
  /** A call did not run, since the model had just made it, a plan had made it, or it had failed too often. */
  | { type: 'breaker.skipped'; turn: number; toolUseId: string; name: string }
  /** A call failed too often with the same arguments. The model was told. */
  | { type: 'breaker.failing'; turn: number; name: string; times: number }
  /** A tool failed too often. Calls of it do not run until the next message of a person. */
  | { type: 'breaker.withdrawn'; turn: number; name: string; times: number }
  /** Some answers in a row had only failed calls. The model was told which tools there are. */
  | { type: 'breaker.hinted'; turn: number; rounds: number }
  /** The model has to conclude. */
  | { type: 'breaker.stopped'; turn: number; why: BreakerStop }
  /** A call named a tool that does not exist. It was taken for a call of `name`. */
  | {
      type: 'tool.repaired';
      turn: number;
      toolUseId: string;
      name: string;
      from: string;
      how: 'unprefixed' | 'alias' | 'similar';
    };
