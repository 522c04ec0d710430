import type { FinishReason, ModelPart } from '../../../../../agent/model/adapter';
import type { Usage } from '../../../../../agent/model/cost/usage';
import { isJsonObject, type JsonObject } from '../../../../../agent/values/json';
import { tokenCount } from '../../../usage/reported';
import { metadataOf, wordsIn } from './provider-metadata';
import { fullerUsage } from './raw-usage';

/** What the unified finish reasons mean. */
const FINISH: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['tool-calls', 'stop'],
  ['length', 'length'],
  ['content-filter', 'refused'],
  ['error', 'failed'],
]);

/**
 * Words of providers whose packages call them an ordinary end. Anthropic pauses a turn in which it runs tools of its own:
 * what is there is not all. Gemini and Bedrock do not give calls that they find wrong, and break answers off.
 */
const NOT_WHOLE: ReadonlyMap<string, FinishReason> = new Map([
  ['pause_turn', 'length'],
  ['TOO_MANY_TOOL_CALLS', 'failed'],
  ['UNEXPECTED_TOOL_CALL', 'failed'],
  ['MALFORMED_FUNCTION_CALL', 'failed'],
  ['MALFORMED_RESPONSE', 'failed'],
  ['MISSING_THOUGHT_SIGNATURE', 'failed'],
  ['OTHER', 'failed'],
  ['LANGUAGE', 'refused'],
  ['malformed_model_output', 'failed'],
  ['malformed_tool_use', 'failed'],
  ['model_context_window_exceeded', 'length'],
  // Cohere.
  ['TIMEOUT', 'failed'],
  ['ERROR_TOXIC', 'refused'],
  // Words of OpenAI's form that some packages do not know.
  ['error', 'failed'],
  ['content_filter', 'refused'],
]);

/**
 * The parts of the end of an answer.
 * @param reported tokens that the events before it have reported
 */
export function finishParts({ finishReason, usage, providerMetadata }: JsonObject, reported?: Usage): ModelPart[] {
  const metadata = metadataOf(providerMetadata);
  const parts: ModelPart[] = [];
  const used = fullerUsage(usageOf(usage, metadata), reported);
  if (used !== undefined) parts.push({ type: 'usage', usage: used });
  const { unified, raw } = reasonOf(finishReason);
  const reason = NOT_WHOLE.get(raw ?? unified) ?? FINISH.get(unified);
  // Some providers end every stream in this way, also one that broke off: only the provider's own word is an end.
  if (reason === undefined && raw === undefined) return parts;
  const words = wordsIn(metadata);
  if (reason === 'refused' && words !== undefined) parts.push({ type: 'refusal', text: words });
  const said = raw ?? unified;
  const detail = reason === 'failed' && words !== undefined ? `${said}: ${words}` : said;
  parts.push({ type: 'finish', reason: reason ?? 'stop', said: detail });
  return parts;
}

function reasonOf(said: unknown): { unified: string; raw?: string } {
  if (!isJsonObject(said)) {
    // Up to v2 there is one word. `other` is one that the provider did say.
    return typeof said === 'string' ? { unified: said, ...(said === 'other' ? { raw: said } : {}) } : { unified: '' };
  }
  const { unified, raw } = said;
  return {
    unified: typeof unified === 'string' ? unified : '',
    ...(typeof raw === 'string' && raw !== '' ? { raw } : {}),
  };
}

/** Usage in the form of v2, where every number is a field, or of later versions; `undefined` if nothing was counted. */
function usageOf(usage: unknown, metadata: JsonObject | undefined): Usage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { inputTokens, outputTokens } = usage;
  const input = isJsonObject(inputTokens) ? inputTokens : undefined;
  const output = isJsonObject(outputTokens) ? outputTokens : undefined;
  if (input !== undefined || output !== undefined) {
    return counted({
      prompt: input?.total,
      completion: output?.total,
      cached: input?.cacheRead,
      cacheWritten: input?.cacheWrite,
      reasoning: output?.reasoning,
    });
  }
  const cached = tokenCount(usage.cachedInputTokens);
  const anthropic = metadata?.anthropic;
  const cacheWritten = isJsonObject(anthropic) ? tokenCount(anthropic.cacheCreationInputTokens) : 0;
  // Anthropic's v2 counts as input only what it neither reads from its cache nor writes to it.
  const beside = isJsonObject(anthropic) ? cached + cacheWritten : 0;
  return counted({
    prompt: tokenCount(inputTokens) + beside,
    completion: outputTokens,
    cached,
    cacheWritten,
    reasoning: usage.reasoningTokens,
  });
}

function counted(said: { [field in keyof Required<Omit<Usage, 'estimated'>>]: unknown }): Usage {
  return {
    prompt: tokenCount(said.prompt),
    completion: tokenCount(said.completion),
    cached: tokenCount(said.cached),
    cacheWritten: tokenCount(said.cacheWritten),
    reasoning: tokenCount(said.reasoning),
  };
}
