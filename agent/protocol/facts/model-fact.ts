import type { StructuredOutput } from '../../model/structured-output';

/** Facts about models that fail, or take over. */
export type ModelFact =
  /**
   * Another model is used for the rest of the run: the next one of the chain, because a model failed permanently, or one
   * that a person chose.
   */
  | {
      type: 'model.switched';
      turn: number;
      from: string;
      to: string;
      why: 'failed';
      error: { type: string; message: string };
    }
  | { type: 'model.switched'; turn: number; from: string; to: string; why: 'chosen'; by?: string }
  /**
   * The server of a model refused the way in which it was asked for JSON. For the rest of the run it is asked in another
   * way. `why`: what it said.
   */
  | { type: 'model.downgraded'; turn: number; model: string; from: StructuredOutput; to: StructuredOutput; why: string }
  /**
   * The model gives no answer, and the run waits until `nextAt` (milliseconds since 1970) to call it again. `attempt` counts
   * the failed calls since its last answer. Each of them was retried for about a minute, unless a person has to mend
   * something: a key, an account, the name of the model.
   */
  | {
      type: 'model.waiting';
      turn: number;
      model: string;
      error: { type: string; message: string };
      attempt: number;
      /** When the first of these calls failed. Missing from workers before this version. */
      since?: number;
      nextAt: number;
    }
  /** A person ended the wait for the model. */
  | { type: 'model.retried'; turn: number; model: string; by?: string }
  /** Every model failed. The agent's static answer is the output. */
  | { type: 'model.fallback'; turn: number; error: { type: string; message: string } };
