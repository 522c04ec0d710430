import type { JsonSchema } from '../protocol/manifest';
import type { Json } from '../values/json';

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
export interface QuestionOutcome {
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
  reply?: QuestionOutcome;
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
export type QuestionAnswer = { questionId: string; by?: string } & (
  | { answer: Json }
  /** The person does not want to answer. */
  | { decline: true; reason?: string }
);
