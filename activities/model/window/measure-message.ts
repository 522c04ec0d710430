import type { ModelConfig } from '../../../agent/model/config';
import type { ContentPart, Message, Part, ToolResultPart } from '../../../agent/model/message';
import type { JsonObject } from '../../../agent/values/json';
import { MEDIA_TOKENS } from '../../../agent/window/media-tokens';
import { providerDataFor } from '../answer/provider-data';
import { type Count, type CountTokens, NO_TOKENS, sumOf } from './count-tokens';

/** Tokens of a message beside its content: role and markers, 3 to 4 in the templates of common models. */
const FRAME: Count = { tokens: 4, exact: true };
/** Tokens of a call beside its name and arguments: its place in the list, its id. */
const CALL_FRAME: Count = { tokens: 8, exact: true };
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
  return sumOf(FRAME, ...parts);
}

function measurePart(part: Part, role: Message['role'], thinks: boolean, count: CountTokens): Count {
  switch (part.type) {
    case 'text':
      return once(part, () => part.text, count);
    case 'reasoning':
      return thinks ? once(part, () => part.text, count) : NO_TOKENS;
    case 'media':
      return { tokens: role === 'assistant' ? MEDIA_NOTE : MEDIA_TOKENS, exact: false };
    case 'tool_use':
      return sumOf(
        once(part, () => `${part.name} ${JSON.stringify(part.input)}`, count),
        CALL_FRAME,
      );
    case 'tool_result':
      return measureResult(part, count);
  }
}

function measureResult({ content }: ToolResultPart, count: CountTokens): Count {
  const piece = (part: ContentPart): Count =>
    part.type === 'text' ? once(part, () => part.text, count) : { tokens: MEDIA_TOKENS + 2 * MEDIA_NOTE, exact: false };
  return sumOf(...content.map(piece));
}
