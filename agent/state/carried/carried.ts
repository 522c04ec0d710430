import type { Message } from '../../model/message';
import type { UndoEntry } from '../../protocol/commands/undo';
import type { PinnedMessage } from '../../protocol/queries';
import type { Json, JsonObject } from '../../values/json';
import type { BatchCall } from '../batch';
import type { Outage } from '../phase';
import type { AgentState } from '../state';
import type { CarriedState } from './carried-state';

/**
 * Version of {@link CarriedRun}. Increase it if meaning or form of any part changes. A worker reads no other version.
 */
export const CARRIED_VERSION = 1;

const KB = 1024;

/** Bytes of {@link CarriedRun} as JSON, and of its parts. */
export const CARRIED_BYTES = {
  /**
   * The input of the next Temporal run, of which the server takes 2 MiB: an encrypting codec needs room. The parts below
   * stay within it; the facts for later readers may take what they leave.
   */
  all: 1536 * KB,
  /**
   * Messages of the transcript that models still read, and a few before them. Where they are more, the largest messages
   * are read again.
   */
  transcript: 700 * KB,
  /**
   * Messages that are read again: about half a million tokens. Where models read more than that, older messages are left
   * out of what they read.
   */
  again: 2048 * KB,
  /** Calls of the open batch. A larger batch delays continue-as-new until it has settled. */
  batch: 300 * KB,
  /** Messages of people that no model call has read yet. More delays continue-as-new. */
  waiting: 200 * KB,
  /** Effects and their inverses. The oldest effects above it can no longer be undone. */
  effects: 200 * KB,
  /** All other fields of the state, and the updates. */
  rest: 100 * KB,
  /**
   * Part of `rest` that is kept free for the records that identify a repeated update, message or decision. If the other
   * fields leave less, continue-as-new is delayed.
   */
  records: 20 * KB,
  /** Data of an answer that is carried. Larger data is read from the run that wrote the value. */
  answer: 16 * KB,
  /** One update with its verdict. For a larger one only the id is carried. */
  update: 2 * KB,
} as const;

/** How many of the newest runs of the chain are named: 200 take 18 KB. Each of them names those before it. */
export const MAX_LINKS = 200;

/** How many of the newest updates are carried, if there is room for them. */
export const MAX_UPDATES = 1000;

/** The transcript from `first` on. Earlier runs of the chain have the messages before it. */
export interface CarriedTranscript {
  /** Index of the first message. */
  first: number;
  /** Messages before `first` that models still read. */
  pinned: PinnedMessage[];
  messages: Message[];
  /** Indices of messages that are too large: they are empty here, and are read from the run that wrote the value. */
  large?: number[];
}

/** An accepted update with its outcome. Temporal knows update ids only within one of its runs. */
export type CarriedUpdate = { /** The `updateId`. */ id: string } & UpdateVerdict;

/** What an update returned, the error that it failed with, or a note that its verdict was too large to be carried. */
export type UpdateVerdict = { value: Json } | { error: UpdateError } | { dropped: true };

/** A `HoldfastError` as JSON. */
export interface UpdateError {
  type: string;
  message: string;
  data: JsonObject;
}

/**
 * What one Temporal run of an agent passes to the next by continue-as-new. The manifest, the context and the input of
 * the run are not in it: the next run reads them from the run that wrote it.
 */
export interface CarriedRun {
  version: typeof CARRIED_VERSION;
  /**
   * Temporal's id of the run that wrote it. A cron run and a workflow retry start with the input of the run before
   * them: for them it differs from the id of the run that they continue.
   */
  runId: string;
  transcript: CarriedTranscript;
  batch: BatchCall[];
  waiting: Pick<AgentState, 'inbox' | 'steers' | 'notes'>;
  effects: UndoEntry[];
  state: CarriedState;
  /** The model does not answer, and is about to be asked again. An older worker, which does not read it, begins another turn. */
  outage?: Outage;
  /** Answer of the last exchange that had one. Missing data: it is larger than `CARRIED_BYTES.answer`. */
  answer?: { exchange: number; data?: Json };
  /** The oldest first. */
  updates: CarriedUpdate[];
}
