import type { ContextSpec } from './context-spec';

/** Tokens reserved for the answer, unless the model's configuration allows a longer one. */
const ANSWER = 2000;
/** Tokens for what our count misses: markers of the server's own template, and a different tokenizer. */
const SAFETY = 768;
/** With fewer tokens left than this for the next turn, the model is asked to conclude. */
const WRAP_UP = 1500;
/** Most tokens of a summary. */
const SUMMARY = 500;
/** Below this window the four shrink with it: in one of 4,000 they are 1,000, 384, 750 and 250. */
const SMALL = 8000;
/** With fewer tokens left than this, or than a quarter of the window, old messages are compacted. */
const THRESHOLD = 5000;

type Sizes = Pick<ContextSpec, 'reserve' | 'threshold' | 'summaryTokens' | 'wrapUp'>;

/** What the room of a call depends on, beside the window. */
export interface RoomOptions {
  /** Tokens of an answer that the model's configuration allows. */
  maxTokens?: number | undefined;
  /** What the agent has set. */
  spec?: Sizes | undefined;
}

/** How many tokens of a window are reserved for the answer. */
export function answerRoom(window: number, { maxTokens = 0, spec }: RoomOptions = {}): number {
  const output = spec?.reserve?.output;
  // Reserving more than half of the window for the answer would leave no room for a question.
  const most = Math.floor(window / 2);
  return Math.max(output === undefined ? scaled(ANSWER, window) : Math.min(output, most), Math.min(maxTokens, most));
}

/** How many tokens of a window are reserved for what the count misses. */
export function safetyRoom(window: number, spec?: Sizes): number {
  const safety = spec?.reserve?.safety;
  return safety === undefined ? scaled(SAFETY, window) : Math.min(safety, Math.floor(window / 2));
}

/** How many tokens of a window a call may send: system prompt, tools and messages. */
export function sendRoom(window: number, options: RoomOptions = {}): number {
  return Math.max(0, window - answerRoom(window, options) - safetyRoom(window, options.spec));
}

/** Under how many tokens left old messages are compacted. */
export function thresholdOf(window: number, spec?: Sizes): number {
  return spec?.threshold ?? Math.min(THRESHOLD, Math.floor(window / 4));
}

/** Under how many tokens left the model is asked to conclude. */
export function wrapUpRoom(window: number, spec?: Sizes): number {
  return spec?.wrapUp ?? scaled(WRAP_UP, window);
}

/** How many tokens a summary may have. */
export function summaryRoom(window: number | undefined, spec?: Sizes): number {
  return spec?.summaryTokens ?? scaled(SUMMARY, window ?? SMALL);
}

/** Tokens that a writer may use for one token of its summary: some models think first. */
const THINKING = 8;

/** How many tokens a model may use to write a summary. */
export function writerTokens(summaryTokens: number): number {
  return summaryTokens * THINKING;
}

function scaled(tokens: number, window: number): number {
  return Math.floor(tokens * Math.min(1, window / SMALL));
}
