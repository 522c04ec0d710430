import type { Usage } from '../../../../../agent/model/cost/usage';
import { isJsonObject, type JsonObject } from '../../../../../agent/values/json';
import { tokenCount } from '../../../usage/reported';
import { chatUsage } from '../../chat/chat-usage';
import { responseUsage } from '../../responses/response-usage';

/**
 * Tokens that the events of an answer report, as the provider sent them. Packages pass them on with the end of an answer
 * only, so one that breaks off has none, and leave out some that are reported in a form of a server's own.
 */
export class RawUsage {
  /** What Anthropic has reported: the prompt comes with the first event, and the answer with the last. */
  readonly #anthropic: JsonObject = {};
  /** The last report. */
  last: Usage | undefined;

  /** Reads an event; returns what it reports, if anything. */
  read(event: JsonObject): Usage | undefined {
    const usage = this.#in(event);
    this.last = usage ?? this.last;
    return usage;
  }

  #in({ type, usage, usageMetadata, message, response, metadata }: JsonObject): Usage | undefined {
    if (type === 'message_start') return isJsonObject(message) ? this.#ofAnthropic(message.usage) : undefined;
    if (type === 'message_delta') return this.#ofAnthropic(usage);
    if (isJsonObject(response)) return responseUsage(response.usage);
    if (isJsonObject(usageMetadata)) return ofGoogle(usageMetadata);
    if (isJsonObject(metadata) && isJsonObject(metadata.usage)) return ofBedrock(metadata.usage);
    return isJsonObject(usage) && typeof usage.prompt_tokens === 'number' ? chatUsage(usage) : undefined;
  }

  /** Its input is only what it neither reads from its cache nor writes to it. */
  #ofAnthropic(usage: unknown): Usage | undefined {
    if (!isJsonObject(usage)) return undefined;
    for (const [name, value] of Object.entries(usage)) if (value !== null) this.#anthropic[name] = value;
    const known = this.#anthropic;
    const cached = tokenCount(known.cache_read_input_tokens);
    const cacheWritten = tokenCount(known.cache_creation_input_tokens);
    const details = isJsonObject(known.output_tokens_details) ? known.output_tokens_details : {};
    return {
      prompt: tokenCount(known.input_tokens) + cached + cacheWritten,
      completion: tokenCount(known.output_tokens),
      ...{ cached, cacheWritten, reasoning: tokenCount(details.thinking_tokens) },
    };
  }
}

/** Thoughts are counted beside the answer. */
function ofGoogle(usage: JsonObject): Usage {
  const reasoning = tokenCount(usage.thoughtsTokenCount);
  return {
    prompt: tokenCount(usage.promptTokenCount) + tokenCount(usage.toolUsePromptTokenCount),
    completion: tokenCount(usage.candidatesTokenCount) + reasoning,
    ...{ cached: tokenCount(usage.cachedContentTokenCount), reasoning },
  };
}

function ofBedrock(usage: JsonObject): Usage {
  const cached = tokenCount(usage.cacheReadInputTokens);
  const cacheWritten = tokenCount(usage.cacheWriteInputTokens);
  return {
    prompt: tokenCount(usage.inputTokens) + cached + cacheWritten,
    completion: tokenCount(usage.outputTokens),
    ...{ cached, cacheWritten },
  };
}

/** The one that counts more. Where they count the same, the events may say more about it. */
export function fullerUsage(ofPackage: Usage | undefined, ofEvents: Usage | undefined): Usage | undefined {
  if (ofPackage === undefined || ofEvents === undefined) return ofPackage ?? ofEvents;
  return sizeOf(ofEvents) >= sizeOf(ofPackage) ? ofEvents : ofPackage;
}

function sizeOf({ prompt, completion }: Usage): number {
  return prompt + completion;
}
