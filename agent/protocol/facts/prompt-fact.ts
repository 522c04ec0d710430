import type { SectionProblem } from '../calls/sent-sections';

/** Facts about the sections of the turn message. */
export type PromptFact =
  /**
   * The call of this turn had these sections, in this order. `hash`: SHA-256 of their texts, which
   * `holdfast show <run> --prompt` prints.
   */
  | { type: 'prompt.sections'; turn: number; hash: string; sections: string[] }
  /** A section was left out of the call. */
  | {
      type: 'prompt.section.failed';
      turn: number;
      section: string;
      error: { type: SectionProblem; message: string };
    };
