import { isAdapted, type ModelConfig } from '../../../agent/model/config';
import type { ToolUsePart } from '../../../agent/model/message';
import type { CallEcho, Echo } from '../../../agent/model/sent-messages';
import { defined } from '../../../agent/values/defined';
import { hashText } from '../../../agent/values/hash';
import type { JsonObject } from '../../../agent/values/json';
import { hashOfArguments } from '../../../runtime/sha256';

/** What a message keeps for its provider, see {@link Message.providerData}. It is opaque to everything else. */
export interface ProviderData {
  /** Identifies server and model: the data goes to no other server. */
  origin: string;
  /** Fields of the assistant message that only the provider understands. */
  message?: JsonObject;
  /** The field in which the reasoning came; its text is kept only in the message's parts. */
  reasoning?: string;
  /** Fields of single calls, such as signatures. */
  calls?: CallData[];
}

/**
 * Fields of one call. The call is found again by id, else by name and arguments, never by position: calls of low
 * priority leave the message.
 */
export interface CallData {
  id?: string;
  /** As it is sent to the model. */
  name: string;
  /** SHA-256 of the canonical JSON of the arguments. */
  input: string;
  fields: JsonObject;
  /** How many parts of the message came before it, where a thought with data of its own came after it. */
  after?: number;
}

export function originOf(config: ModelConfig): string {
  const server = isAdapted(config) ? config.adapter.server : undefined;
  return server === undefined ? originOfProvider(config) : hashText(`${server} ${originOfProvider(config)}`);
}

/** The origin of data that was kept before adapters told their server. */
function originOfProvider(config: ModelConfig): string {
  const { model } = config;
  if (!isAdapted(config)) {
    const { baseUrl, api = 'chat' } = config;
    // Of one model each API has its own data. The first had no name in it when it was the only one.
    return hashText(api === 'chat' ? `${baseUrl} ${model}` : `${api} ${baseUrl} ${model}`);
  }
  const { kind, provider } = config.adapter;
  return hashText(`${kind} ${provider} ${model}`);
}

/** The data that may be echoed to this model; `undefined` if there is none or another model gave it. */
export function providerDataFor(config: ModelConfig, data: JsonObject | undefined): ProviderData | undefined {
  if (data === undefined) return undefined;
  const isOurs = data.origin === originOf(config) || data.origin === originOfProvider(config);
  return isOurs ? (data as unknown as ProviderData) : undefined;
}

/** What a message carries back to this model; `undefined` if there is nothing, or another model gave it. */
export function echoFor(config: ModelConfig, given: JsonObject | undefined): Echo | undefined {
  const data = providerDataFor(config, given);
  if (data === undefined) return undefined;
  const { message, reasoning, calls = [] } = data;
  const left = [...calls];
  return {
    call: (part, sentName) => takeCall(left, part, sentName),
    // Structured reasoning contains the text.
    ...defined({ message, reasoning: message?.reasoning_details === undefined ? reasoning : undefined }),
  };
}

/** Takes the data of a call out of `left`, so that an equal call later in the message gets its own. */
function takeCall(left: CallData[], part: ToolUsePart, sentName: string): CallEcho | undefined {
  let hash: string | undefined;
  const hasInput = (input: string) => {
    hash ??= hashOfArguments(part.input);
    return input === hash;
  };
  const at = left.findIndex(
    ({ id, name, input }) => id === part.providerId && name === sentName && (id !== undefined || hasInput(input)),
  );
  const [taken] = at < 0 ? [] : left.splice(at, 1);
  if (taken === undefined) return undefined;
  const { fields, after } = taken;
  return defined({ fields: Object.keys(fields).length === 0 ? undefined : fields, after });
}
