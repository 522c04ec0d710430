/**
 * How a model is asked for JSON: with the schema as a field of the request, with a field that asks for any JSON object,
 * or only in the system prompt. With the last two, the system prompt describes the schema.
 */
export type StructuredOutput = 'schema' | 'json_object' | 'prompt';

/** A server refused a way to ask for JSON, and the call was made in another way. */
export interface OutputDowngrade {
  /** What the server refused. */
  from: StructuredOutput;
  /** What it accepted. */
  to: StructuredOutput;
  /** What it said, shortened and without secrets. */
  why: string;
}
