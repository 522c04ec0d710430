/** Tokens that are kept for the answer, where the model's configuration allows no longer one. */
const ANSWER = 2000;
/** Tokens for what no count sees: marks of the server's own template, and a tokenizer that is not ours. */
const SAFETY = 768;
/** Below this window the two shrink with it: in one of 4,000 they are 1,000 and 384. */
const SMALL = 8000;

/** How many tokens of a window are kept for the answer. */
export function answerRoom(window: number, maxTokens = 0): number {
  // A longest answer of more than half the window would leave no room for a question.
  return Math.max(scaled(ANSWER, window), Math.min(maxTokens, Math.floor(window / 2)));
}

/** How many tokens of a window a call may send: system prompt, tools and messages. */
export function sendRoom(window: number, maxTokens?: number): number {
  return Math.max(0, window - answerRoom(window, maxTokens) - scaled(SAFETY, window));
}

function scaled(tokens: number, window: number): number {
  return Math.floor(tokens * Math.min(1, window / SMALL));
}
