import { isJsonObject, type Json, type JsonObject } from '../../../../../agent/values/json';
import type { AssistantPart, ProviderOptions, TextPart } from './prompt-form';

interface Said {
  length: number;
  data: JsonObject;
}

/** What the provider gave, and gets back. */
export function optionsOf(data: JsonObject | undefined): { providerOptions?: ProviderOptions } {
  const options = Object.entries(data ?? {}).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  return options.length === 0 ? {} : { providerOptions: Object.fromEntries(options) };
}

/**
 * The parts of an answer with each text as the provider gave it, and with what it gave beside: OpenAI refuses reasoning
 * without the message that followed it. A part is divided where texts that follow each other are kept as one.
 * @param said the texts in their order; without effect if they are not those of the parts
 */
export function divided(parts: AssistantPart[], said: Json | undefined): AssistantPart[] {
  const left = (Array.isArray(said) ? said : []).flatMap((each): Said[] => {
    if (!isJsonObject(each) || typeof each.length !== 'number' || !isJsonObject(each.data)) return [];
    return each.length > 0 ? [{ length: each.length, data: each.data }] : [];
  });
  const out: AssistantPart[] = [];
  for (const part of parts) {
    if (part.type !== 'text') {
      out.push(part);
      continue;
    }
    const texts = piecesOf(part.text, left);
    if (texts === undefined) return parts;
    out.push(...texts);
  }
  return left.length === 0 ? out : parts;
}

/** Takes the texts of one part from the list; `undefined` if they do not fill it. */
function piecesOf(text: string, left: Said[]): TextPart[] | undefined {
  const pieces: TextPart[] = [];
  let at = 0;
  while (at < text.length) {
    const next = left.shift();
    if (next === undefined || at + next.length > text.length) return undefined;
    pieces.push({ type: 'text', text: text.slice(at, at + next.length), ...optionsOf(next.data) });
    at += next.length;
  }
  return pieces;
}
