import type { StructuredOutput } from '../../../../agent/model/structured-output';
import { isJsonObject } from '../../../../agent/values/json';
import { ModelServerError } from '../../failures/server-error';
import type { AiSdkModel } from './language-model';

/** How a provider's object says that it leaves the format out, up to v2 and later. */
const IGNORED: ReadonlySet<unknown> = new Set(['unsupported-setting', 'unsupported']);

/**
 * How a model is asked for JSON. Models of `@ai-sdk/openai-compatible`, and of the packages that build on it, say in
 * advance whether they send a schema; without it the server would be asked for JSON of which it knows nothing.
 */
export function structuredOutputOf(model: AiSdkModel): StructuredOutput | undefined {
  const sends = 'supportsStructuredOutputs' in model ? model.supportsStructuredOutputs : undefined;
  return sends === false ? 'json_object' : undefined;
}

/**
 * A format that the provider's object does not send is a format that the server refuses: the model would answer without
 * knowing of it.
 * @param warnings what the object says at the start of an answer
 * @throws ModelServerError
 */
export function checkFormatIsSent(warnings: unknown): void {
  const ignored = (Array.isArray(warnings) ? warnings : []).find(
    (warning: unknown) =>
      isJsonObject(warning) && IGNORED.has(warning.type) && (warning.feature ?? warning.setting) === 'responseFormat',
  );
  if (ignored === undefined) return;
  const why = isJsonObject(ignored) && typeof ignored.details === 'string' ? `: ${ignored.details}` : '';
  throw new ModelServerError(`responseFormat is not supported by the AI SDK package${why}`, {
    code: 'invalid_request_error',
  });
}
