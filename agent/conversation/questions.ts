import type { JsonSchema } from '../protocol/manifest';
import type { Json } from '../values/json';

/** A question of an agent or of a tool to a person. Times are milliseconds since 1970. */
export interface Question {
  /** Its id: the id of the call, with the suffix `/2`, `/3` … for further questions of one call. */
  questionId: string;
  /** What is asked. */
  question: string;
  /** Suggested answers. Other answers are allowed. */
  suggestions?: string[];
  /** JSON Schema of the answer. Missing: a text. */
  schema?: JsonSchema;
  /** A page that the person is asked to visit. The answer then says that they did. */
  url?: string;
  /** When it was asked. */
  askedAt: number;
  /** Missing: it waits forever. */
  expiresAt?: number;
}

/** How a question ended. */
export interface QuestionOutcome {
  /** `withdrawn`: a message, an interrupt or a cancel came instead of an answer. */
  action: 'answered' | 'declined' | 'expired' | 'withdrawn';
  /** The answer, or the reason of a decline if one was given. */
  data?: Json;
  /** Who answered, declined or withdrew it, if known. */
  by?: string;
  /** Milliseconds since 1970. */
  at: number;
}

/** A question with its outcome, as kept with the call that asks it. */
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
  /** Canonical name of the tool that asks: `ask_question`, `converse`, a question of the agent, or an MCP tool. */
  tool: string;
}

/** An answer to a question, as the update and the signal `answer` carry it. */
export type QuestionAnswer = { questionId: string; by?: string } & (
  | { answer: Json }
  /** The person does not want to answer. */
  | { decline: true; reason?: string }
);
