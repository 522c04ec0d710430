import type { Json } from './json';
import type { JsonSchema } from './manifest';
import type { ContentPart } from './message';

/** What a person says to a run: a text, or parts where it has more than a text. At most 128 KB. */
export interface Said {
  /** The text; this or `parts`. */
  text?: string;
  /** Texts and media. Large media belong into a `url`. */
  parts?: ContentPart[];
  /** Of the sender's choice: a message of the same id is taken once, however often it is sent. */
  id?: string;
  /** Who says it. It stands in history, the model does not see it. */
  by?: string;
}

/**
 * What a person says in the midst of an exchange. `queue` (the default): the model reads it at its next call. `now`: a
 * model call under way is broken off for it, and questions that wait are withdrawn; tools that work are not disturbed.
 */
export interface Steer extends Said {
  when?: 'queue' | 'now';
}

/** What a run says of a message that it has taken. */
export interface Taken {
  /** The exchange that the message starts, or joins. */
  exchange: number;
  /** Messages before it that have to be answered first; 0: it is taken up at once. */
  ahead: number;
  /** Number of the last fact before it: what follows from it is read from there on. */
  after: number;
}

/** A message that was taken and is not yet in the transcript. */
export interface QueuedMessage {
  parts: ContentPart[];
  exchange: number;
  /** Milliseconds since 1970. */
  at: number;
  id?: string;
  by?: string;
  /** The exchange is to be answered anew, and brings no message. */
  regenerates?: number;
}

/** A question of an agent, or of a tool, to a person. Times are milliseconds since 1970. */
export interface Question {
  /** Names it: the call's id, with `/2`, `/3` … behind it for further questions of one call. */
  questionId: string;
  /** What is asked. */
  question: string;
  /** Answers to choose from; another may be given all the same. */
  suggestions?: string[];
  /** JSON Schema of the answer. Missing: a text. */
  schema?: JsonSchema;
  /** A page that the person is asked to visit; the answer then says that it is done. */
  url?: string;
  /** When it was asked. */
  askedAt: number;
  /** Missing: it waits for ever. */
  expiresAt?: number;
}

/** How a question ended. */
export interface Replied {
  /** `withdrawn`: a message, an interrupt or a cancel came instead. */
  action: 'answered' | 'declined' | 'expired' | 'withdrawn';
  /** The answer; of a declined one the reason, where one was given. */
  data?: Json;
  /** Who answered, declined or withdrew it, where they said so. */
  by?: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** A question as the call that asks it knows it. */
export interface QuestionState extends Question {
  reply?: Replied;
}

/** A question that waits for a person. */
export interface PendingQuestion extends Question {
  /** The run that waits. */
  id: string;
  /** Its agent. */
  agent: string;
  /** Who the run belongs to. */
  owner?: string;
  /** The call that asks. */
  toolUseId: string;
  /** Canonical name of the tool that asks: `ask_question`, `converse`, one of the agent's own, or an MCP tool. */
  tool: string;
}

/** An answer to a question, as the update and the signal `answer` carry it. */
export type Reply = { questionId: string; by?: string } & (
  | { answer: Json }
  /** The person does not want to answer. */
  | { decline: true; reason?: string }
);

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

/** What became of it, in the order in which it was done; nothing was tried after one that failed. */
export interface Undone {
  /** One for each effect that was tried; `text` is what its inverse said. */
  undone: { toolUseId: string; tool: string; text: string; error?: { type: string; message: string } }[];
}

/** How much of the model's window the last call took. Tokens; those of `system` and `tools` are part of `used`. */
export interface ContextBudget {
  /** The turn that it was counted in. */
  turn: number;
  /** The model's context window. Missing: the worker's configuration does not say. */
  total?: number;
  /** What the call sent. */
  used: number;
  /** What is left of the window after it, with room for an answer taken off. */
  remaining?: number;
  /** Of `used`: the system prompt. */
  system: number;
  /** Of `used`: names, descriptions and schemas of the tools. */
  tools: number;
  /** Messages of the transcript that the call left out, the oldest. */
  dropped: number;
  /** `usage`: the provider counted. `tokenizer`, `estimate`: the worker did. */
  counted: 'usage' | 'tokenizer' | 'estimate';
}

/** What of the transcript is sent: all from `from` on, and the message that opened the exchange. */
export interface Memory {
  /** Index of the first message that is still sent. */
  from: number;
  /** A window smaller than the configured one, learned when the model refused a call as too long. Tokens. */
  window?: number;
  /** Tokens that the provider counts for one that the worker counts. */
  factor?: number;
}
