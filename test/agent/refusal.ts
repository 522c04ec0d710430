import { HoldfastError } from '../../agent/errors/error';

/** The error of `make` as JSON: type, message and data. Anything but a `HoldfastError` is rethrown. */
export function refusal(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    if (error instanceof HoldfastError) return error.toJSON();
    throw error;
  }
  throw new Error('expected a refusal');
}
