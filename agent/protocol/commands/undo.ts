import type { ContentPart } from '../../model/message';
import type { Json } from '../../values/json';

/** A call whose effect may be undone. */
export interface UndoEntry {
  toolUseId: string;
  /** Canonical name of the tool. */
  name: string;
  /** Missing: the call cannot be undone, and the entry keeps older effects from being undone past it. */
  inverse?: {
    /** The arguments that it ran with. */
    input: { [key: string]: Json };
    /** SHA-256 of the arguments. */
    hash: string;
    /** The whole result of the tool. */
    content: ContentPart[];
  };
  /** Set while and after it is undone. */
  undone?: { by?: string; at: number; outcome?: 'done' | 'failed' | 'unknown' };
}

/** What to undo: a number of the latest effects, or one call. */
export interface UndoRequest {
  /** How many, the newest first. Default 1. */
  count?: number;
  /** One call, regardless of what came after it. */
  toolUseId?: string;
  by?: string;
}

/** A request that a run has accepted: the calls, in the order in which they are undone. */
export interface UndoAccepted {
  toolUseIds: string[];
  /** Number of the last fact before it. Facts about the outcome come after it. */
  after: number;
}

/** The outcome of an undo, in order. Nothing was tried after an inverse that failed. */
export interface Undone {
  /** One entry for each effect that was tried. `text` is what its inverse returned. */
  undone: { toolUseId: string; tool: string; text: string; error?: { type: string; message: string } }[];
}
