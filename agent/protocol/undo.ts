import type { ContentPart } from '../model/message';
import type { Json } from '../values/json';

/** A call whose effect may be taken back. */
export interface UndoEntry {
  toolUseId: string;
  /** Canonical name of the tool. */
  name: string;
  /** Missing inverse: it stands here so that nothing older is undone past it. */
  inverse?: {
    /** The arguments that it ran with. */
    input: { [key: string]: Json };
    /** SHA-256 of the arguments. */
    hash: string;
    /** What the tool gave, whole. */
    content: ContentPart[];
  };
  /** Set while, and after, it is taken back. */
  undone?: { by?: string; at: number; outcome?: 'done' | 'failed' | 'unknown' };
}

/** What is to be undone: the last so many effects, or one call. */
export interface UndoRequest {
  /** How many, the newest first. Default 1. */
  count?: number;
  /** One call, whatever came after it. */
  toolUseId?: string;
  by?: string;
}

/** A request that a run has accepted: the calls, in the order in which they are taken back. */
export interface UndoAccepted {
  toolUseIds: string[];
  /** Number of the last fact before it: those that tell what becomes of the calls come after. */
  after: number;
}

/** What became of it, in the order in which it was done; nothing was tried after one that failed. */
export interface Undone {
  /** One for each effect that was tried; `text` is what its inverse said. */
  undone: { toolUseId: string; tool: string; text: string; error?: { type: string; message: string } }[];
}
