import type { ModelConfig } from '../../../agent/model/config';
import type { ContentPart, Message, Part, ToolResultPart } from '../../../agent/model/message';
import type { JsonObject } from '../../../agent/values/json';
import { providerDataFor } from '../answer/provider-data';
import type { Count, CountTokens } from './count-tokens';

/** Tokens of a message beside its content: role and markers, 3 to 4 in the templates of common models. */
const FRAME = 4;
/** Tokens of a call beside its name and arguments: its place in the list, its id. */
const CALL_FRAME = 8;
/**
 * A large image costs 765 to 1,445 tokens at OpenAI and about 1,600 at Anthropic; a sound or a document may cost more.
 */
const MEDIA = 1500;
/** Tokens of a line that names the type of media. */
const MEDIA_NOTE = 20;

/** Parts never change, and the transcript that a worker keeps reuses the same parts in each later call. */
const known = new WeakMap<object, Count>();

/** Counts the text that belongs to `key`, only the first time. */
export function once(key: object, text: () => string, count: CountTokens): Count {
  const found = known.get(key) ?? count(text());
  known.set(key, found);
  return found;
}

/** Tokens of one message as it is sent to this model, with media masked. */
export function measureMessage(message: Message, config: ModelConfig, count: CountTokens): Count {
  const echo = providerDataFor(config, message.providerData);
  const calls = message.parts.some((part) => part.type === 'tool_use');
  const thinks = calls && echo?.reasoning !== undefined && echo.message?.reasoning_details === undefined;
  // Reasoning with data of this model goes back, whatever it led to.
  const isSent = (part: Part) =>
    part.type === 'reasoning' && (thinks || (echo !== undefined && part.providerData !== undefined));
  const parts = message.parts.map((part) => measurePart(part, message.role, isSent(part), count));
  if (echo?.message !== undefined || echo?.calls !== undefined) {
    const fields = [echo.message, echo.calls?.map((call) => call.fields)];
    parts.push(once(message.providerData as JsonObject, () => JSON.stringify(fields), count));
  }
  return sum(parts, FRAME);
}

function measurePart(part: Part, role: Message['role'], thinks: boolean, count: CountTokens): Count {
  switch (part.type) {
    case 'text':
      return once(part, () => part.text, count);
    case 'reasoning':
      return thinks ? once(part, () => part.text, count) : NOTHING;
    case 'media':
      return { tokens: role === 'assistant' ? MEDIA_NOTE : MEDIA, exact: false };
    case 'tool_use':
      return plus(
        once(part, () => `${part.name} ${JSON.stringify(part.input)}`, count),
        CALL_FRAME,
      );
    case 'tool_result':
      return measureResult(part, count);
  }
}

function measureResult({ content }: ToolResultPart, count: CountTokens): Count {
  const piece = (part: ContentPart): Count =>
    part.type === 'text' ? once(part, () => part.text, count) : { tokens: MEDIA + 2 * MEDIA_NOTE, exact: false };
  return sum(content.map(piece));
}

const NOTHING: Count = { tokens: 0, exact: true };

function plus({ tokens, exact }: Count, more: number): Count {
  return { tokens: tokens + more, exact };
}

function sum(counts: readonly Count[], first = 0): Count {
  return counts.reduce(
    (all, { tokens, exact }) => ({ tokens: all.tokens + tokens, exact: all.exact && exact }),
    plus(NOTHING, first),
  );
}
