import type { ContextWindow } from '../../model/context-window';
import type { ContentPart } from '../../model/message';
import type { FilterInput } from '../../tool-filter/tool-filter';
import type { Pin } from '../manifest';

/** Asks whether a message fits into a call of the model beside the system prompt and the tools. */
export interface CountMessageInput {
  pin: Pin;
  /** Alias of the model. */
  model: string;
  /** Media without their content. */
  parts: ContentPart[];
  trimming: ContextWindow;
  /** Which tools the last call offered. Missing: all. */
  filter?: FilterInput;
}

/** `tokens`: those of the message; `max`: those that it may have; `window`: those of the model's window. */
export type CountMessageResult = { ok: true } | { ok: false; tokens: number; max: number; window: number };
