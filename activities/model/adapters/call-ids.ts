import type { ModelMessage } from '../../../agent/model/adapter';
import { hashText } from '../../../agent/values/hash';

/**
 * An id of a call as a provider takes it. After a change of the model a transcript has ids of another provider, or ours, such
 * as `t1.1`, and an id that does not fit ends the run with 400.
 */
export type CallId = (id: string) => string;

/** Ids that fit stay as they are; of others the same id is always the same. */
const idsLike =
  (allowed: RegExp, length = 16): CallId =>
  (id) =>
    allowed.test(id) ? id : hashText(id).slice(0, length);

/** What providers take. Each says so in the error that it gives for another id. */
export const CALL_ID = {
  anthropic: idsLike(/^[\w-]+$/),
  bedrock: idsLike(/^[\w-]{1,64}$/),
  mistral: idsLike(/^[a-zA-Z0-9]{9}$/, 9),
  chat: idsLike(/^.{1,40}$/s),
  responses: idsLike(/^.{1,64}$/s),
} satisfies { [provider: string]: CallId };

/** For gateways to other providers, whose names begin those of its models. */
export function callIdBehind(model: string): CallId | undefined {
  if (model.startsWith('anthropic/')) return CALL_ID.anthropic;
  return /^mistral(ai)?\//.test(model) ? CALL_ID.mistral : undefined;
}

/** The messages with ids of calls, and of their results, that the provider takes. */
export function withCallIds(messages: readonly ModelMessage[], callId: CallId | undefined): readonly ModelMessage[] {
  return callId === undefined ? messages : messages.map((message) => withIds(message, callId));
}

/** The same object where all ids fit: what is made of a message is remembered by its object. */
function withIds(message: ModelMessage, callId: CallId): ModelMessage {
  if (message.role === 'user') return message;
  if (message.role === 'tool') {
    const id = callId(message.id);
    return id === message.id ? message : { ...message, id };
  }
  if (message.content.every((part) => part.type !== 'call' || callId(part.id) === part.id)) return message;
  const content = message.content.map((part) => (part.type === 'call' ? { ...part, id: callId(part.id) } : part));
  return { ...message, content };
}
