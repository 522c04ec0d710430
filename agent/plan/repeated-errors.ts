import { HoldfastError } from '../errors/error';
import { defined } from '../values/defined';

/** Equal errors in a row after which a run ends: the limit of the agent loop that calls tools in text comes from. */
export const MAX_EQUAL_ERRORS = 5;

/** Characters of a message that are compared and kept. */
const COMPARED = 500;

/** What went wrong in a turn. `name`: the tool, if the call could be read. */
export interface TurnError {
  type: string;
  name?: string;
  message: string;
}

/** The error of the last turn, and how many turns in a row ended with it. */
export interface RepeatedError extends TurnError {
  times: number;
}

/** Counts the error of a turn. `undefined`: the turn had none, and counting starts over. */
export function countError(before: RepeatedError | undefined, error: TurnError | undefined): RepeatedError | undefined {
  if (error === undefined) return undefined;
  const { type, name } = error;
  const message = error.message.slice(0, COMPARED);
  const isEqual = before?.type === type && before.name === name && before.message === message;
  return { type, ...defined({ name }), message, times: isEqual ? before.times + 1 : 1 };
}

/** Whether the model makes the same mistake without end. */
export function isHopeless(repeated: RepeatedError | undefined): repeated is RepeatedError {
  return repeated !== undefined && repeated.times >= MAX_EQUAL_ERRORS;
}

/**
 * Ends the task, or the exchange, after too many equal errors.
 * @throws HoldfastError `ErrorRepeated`
 */
export function checkRepeated(repeated: RepeatedError | undefined): void {
  if (isHopeless(repeated)) throw new HoldfastError('ErrorRepeated', { ...repeated });
}
