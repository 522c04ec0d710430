import { HoldfastError } from '../../agent/errors/error';

/** What `make` throws, as it travels: type, whole text and data. Anything but a `HoldfastError` is passed on. */
export function refusal(make: () => unknown): unknown {
  try {
    make();
  } catch (error) {
    if (error instanceof HoldfastError) return error.toJSON();
    throw error;
  }
  throw new Error('expected a refusal');
}
