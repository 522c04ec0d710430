import { isJsonObject, type JsonObject } from '../../../../../agent/values/json';

/** What a provider gives with a part, as JSON; `undefined` if it is empty, or cannot be JSON. */
export function metadataOf(value: unknown): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  let text: string;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    // A circle, or nested beyond every stack: no provider could get it back.
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
  const copy: unknown = JSON.parse(text);
  return isJsonObject(copy) && Object.keys(copy).length > 0 ? copy : undefined;
}

/** Why the answer ended as it did, in the words of Anthropic or Gemini. */
export function wordsIn(metadata: JsonObject | undefined): string | undefined {
  for (const said of Object.values(metadata ?? {})) {
    if (!isJsonObject(said)) continue;
    const { stopDetails, finishMessage } = said;
    const words = isJsonObject(stopDetails) ? stopDetails.explanation : finishMessage;
    if (typeof words === 'string' && words !== '') return words;
  }
  return undefined;
}
