/** What the model says before it calls its tool. */
const BEFORE = 'Looking it up. ';
const WORDS = Array.from({ length: 40 }, (_, i) => `word-${String(i).padStart(3, '0')} `).join('');
/** More attempts than an answer needs. */
const ATTEMPTS = 50;

/** Characters that are sent at once, and the milliseconds between. */
export const PACE = { chunkSize: 9, chunkDelay: 250 };

/** Every second run's answer says which attempt it is: what a lost attempt has said must go. */
export function answerOf(run: string, turn: number, attempt: number): string {
  if (turn === 1) return BEFORE;
  return Number(run.split('-')[1]) % 2 === 0 ? WORDS : ofAttempt(attempt);
}

function ofAttempt(attempt: number): string {
  return `Attempt ${attempt}. ${WORDS}`;
}

const LAST = [WORDS, ...Array.from({ length: ATTEMPTS }, (_, i) => ofAttempt(i + 1))];
const WHOLE = LAST.map((text) => BEFORE + text);

/** Whether a text is the beginning of what the model says in a turn, or, without one, in all of them. */
export function isBeginning(shown: string, turn?: number): boolean {
  const answers = turn === undefined ? WHOLE : turn === 1 ? [BEFORE] : LAST;
  return answers.some((answer) => answer.startsWith(shown));
}
