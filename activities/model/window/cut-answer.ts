import { head } from '../../../agent/model/cut-tool-result';
import { type Message, textOf } from '../../../agent/model/message';
import { answerCut } from '../../../agent/prompts/answers';
import { type PruneArgs, pruneMessages } from './trim-messages';

/** Tokens of a cut answer, at least: enough to see what went wrong. */
const LEAST = 100;
/** Share of an answer that is kept when the rest of it still has too many tokens. */
const LESS = 0.8;

type Choice = Omit<PruneArgs, 'room'>;

/**
 * Index of the last answer of the model, if it can be cut. Calls are not: their arguments are JSON, and their results
 * belong to them. -1: it cannot.
 */
export function cuttable({ messages, tokens }: Pick<Choice, 'messages' | 'tokens'>): number {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const calls = messages[index]?.parts.some(({ type }) => type === 'tool_use') ?? true;
  return calls || (tokens[index] ?? 0) <= LEAST ? -1 : index;
}

/**
 * The last answer is always sent, since what follows is about it. A model that writes until its window is full would so
 * end its run: of such an answer the beginning is sent.
 * @param room tokens that all messages may have together
 */
export function cutAnswer(choice: Choice, room: number, measure: (message: Message) => number): Choice {
  const index = cuttable(choice);
  const message = choice.messages[index];
  const least = pruneMessages({ ...choice, room: 0 });
  if (message === undefined || !least.sent.includes(index) || least.tokens <= room) return choice;
  const before = choice.tokens[index] ?? 0;
  const limit = Math.max(LEAST, Math.floor(room - least.tokens + before));
  const { length } = textOf(message);
  let chars = Math.floor((length * limit) / before);
  let cut = withChars(message, chars);
  while (measure(cut) > limit && chars > 0) {
    chars = Math.floor(chars * LESS);
    cut = withChars(message, chars);
  }
  // A copy that lacks what it lacks: tokens of messages that are left out are not counted.
  const tokens = choice.tokens.slice();
  tokens[index] = measure(cut);
  return { ...choice, messages: choice.messages.with(index, cut), tokens };
}

/** Without what its provider signed: that belongs to the whole. */
function withChars({ providerData: _, ...message }: Message, chars: number): Message {
  const text = textOf(message);
  const shown = head(text, chars);
  const media = message.parts.filter(({ type }) => type === 'media');
  return {
    ...message,
    parts: [{ type: 'text', text: `${shown}\n${answerCut(shown.length, text.length)}` }, ...media],
  };
}
