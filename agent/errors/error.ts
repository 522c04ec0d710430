import type { JsonObject } from '../values/json';
import type { ErrorData, ErrorType } from './error-data';
import { TEXT } from './error-text';

export type { ErrorData, ErrorType } from './error-data';

/**
 * The only error class of Holdfast. `type` is stable and may be compared, `data` holds the details, `message` is one
 * line that says what happened and what to do.
 */
export class HoldfastError<T extends ErrorType = ErrorType> extends Error {
  /** Always `HoldfastError`: identifies errors from another copy of the package. */
  override readonly name = 'HoldfastError';

  /** @param options.message replaces the message made from the data */
  constructor(
    readonly type: T,
    readonly data: ErrorData[T],
    options: { cause?: unknown; message?: string } = {},
  ) {
    super(options.message ?? TEXT[type](data), 'cause' in options ? { cause: options.cause } : {});
  }

  /** An error from another process. Its type may come from a newer version; its message is kept. */
  static revive(type: string, message: string, data: unknown, cause?: unknown): HoldfastError {
    return new HoldfastError(type as ErrorType, (data ?? {}) as ErrorData[ErrorType], { message, cause });
  }

  /** Type, message and data, without the stack. */
  toJSON(): JsonObject {
    return { type: this.type, message: this.message, data: this.data as unknown as JsonObject };
  }
}

/** One line of text for any thrown value. */
export function messageOf(error: unknown): string {
  return textOf(error).split('\n', 1)[0] ?? '';
}

function textOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message || error.name : error);
  } catch {
    // Objects without a prototype have no text, and one with code of its own may throw anything.
    return 'a value that cannot be shown';
  }
}
