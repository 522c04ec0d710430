/**
 * What can be wrong with an answer that came with status 200, or with a missing answer. `foreign`: it is not that of a
 * model server, but a web page, or JSON of another kind.
 */
export type FaultKind = 'idle' | 'slow' | 'large' | 'unfinished' | 'foreign' | 'unreadable' | 'refused';

/** A fault that we detected ourselves; the error table says what it means. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';

  /** By shape: a model of a user's module may come from another copy of the package. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isNamed(error, 'AnswerFault') && typeof error.kind === 'string';
  }

  constructor(
    readonly kind: FaultKind,
    message: string,
  ) {
    super(message);
  }
}

/** Whether a thrown value has the name of an error. */
export function isNamed(error: unknown, name: string): error is { readonly [field: string]: unknown } {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === name;
}
