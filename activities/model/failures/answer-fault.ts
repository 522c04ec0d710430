/** What can be wrong with an answer that came with status 200, or with a missing answer. */
export type FaultKind = 'idle' | 'slow' | 'large' | 'unfinished' | 'unreadable' | 'refused';

/** A fault that we detected ourselves; the error table says what it means. */
export class AnswerFault extends Error {
  override readonly name = 'AnswerFault';

  constructor(
    readonly kind: FaultKind,
    message: string,
  ) {
    super(message);
  }
}
