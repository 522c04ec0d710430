/** Tokens reserved for the answer, unless the model's configuration allows a longer one. */
const ANSWER = 2000;
/** Tokens for what our count misses: markers of the server's own template, and a different tokenizer. */
const SAFETY = 768;
/** Below this window the two shrink with it: in one of 4,000 they are 1,000 and 384. */
const SMALL = 8000;

/** How many tokens of a window are reserved for the answer. */
export function answerRoom(window: number, maxTokens = 0): number {
  // Reserving more than half of the window for the answer would leave no room for a question.
  return Math.max(scaled(ANSWER, window), Math.min(maxTokens, Math.floor(window / 2)));
}

/** How many tokens of a window a call may send: system prompt, tools and messages. */
export function sendRoom(window: number, maxTokens?: number): number {
  return Math.max(0, window - answerRoom(window, maxTokens) - scaled(SAFETY, window));
}

function scaled(tokens: number, window: number): number {
  return Math.floor(tokens * Math.min(1, window / SMALL));
}
