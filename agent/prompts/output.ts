/*
 * What the model reads about the form of its output, where its server is not told the schema.
 */

/** @param schema JSON Schema of the output, as JSON */
export function answerWithJson(schema: string, { hasTools }: { hasTools: boolean }): string {
  return `${only(hasTools)} with JSON that fits the JSON Schema below. Write no text before or after the JSON.\n\n${schema}`;
}

/** @param schema JSON Schema of the output, as JSON */
export function answerWithText(schema: string, { hasTools }: { hasTools: boolean }): string {
  return `${only(hasTools)} with a text that fits the JSON Schema below. Put no quotes around the text.\n\n${schema}`;
}

function only(hasTools: boolean): string {
  return hasTools ? 'Call tools as you need them. When you are done, answer only' : 'Answer only';
}
