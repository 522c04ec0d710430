import type { CallFault } from '../../model/answer';

/** Facts about calls in text, and about answers without a call. */
export type TextCallFact =
  /**
   * The model answered without a call, but its agent requires one. `error`: there is a call in its text, which cannot be
   * read.
   */
  | { type: 'tool.none'; turn: number; error?: CallFault }
  /** The model has thought: part number `part` of the message number `index`. Only where calls are text. */
  | { type: 'thinking'; turn: number; index: number; part: number }
  /** The same error came so often in a row that the run, or the exchange, ends. `name`: the tool, if there was one. */
  | {
      type: 'error.repeated';
      turn: number;
      times: number;
      name?: string;
      error: { type: string; message: string };
    };
