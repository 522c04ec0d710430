import type { JsonObject } from '../values/json';
import { wellFormed, wellFormedJson } from '../values/well-formed';
import type { ModelMessage, ModelToolCall } from './adapter';
import type { ContentPart, MediaPart, Message, ReasoningPart, TextPart, ToolUsePart } from './message';
import { sentCallIds } from './sent-call-ids';

/** What a message has that only its provider understands, and wants back. */
export interface Echo {
  /** Fields of the message. */
  message?: JsonObject;
  /** The field in which the reasoning came, where it is to be sent back in it. */
  reasoning?: string;
  /** What one call has. Each call is asked for once, in order. */
  call(part: ToolUsePart, sentName: string): CallEcho | undefined;
}

/** What a call has that only its provider understands, and wants back. */
export interface CallEcho {
  /** Fields, such as a signature. */
  fields?: JsonObject;
  /** How many parts of the message came before it. Missing: all of them. */
  after?: number;
}

export interface Transcript {
  /** As they are to be shown, with media masked. */
  messages: readonly Message[];
  /** Canonical tool names and the names that the model uses. */
  modelNames: ReadonlyMap<string, string>;
  /** Default: nothing is sent back that only a provider understands. */
  echo?: (message: Message) => Echo | undefined;
}

/** What all messages of a request have in common. */
type Shared = Omit<Transcript, 'messages'>;

/** How a message was sent, and what that depended on. */
interface Sent {
  shared: Shared;
  /** The ids of its calls and results, in order. */
  ids: readonly string[];
  as: readonly ModelMessage[];
}

/** Each call of a run sends all messages of the calls before: most of them are what they were. */
const sentBefore = new WeakMap<Message, Sent>();

/**
 * Our messages as a model is shown them: tools have the model's names, calls have ids, results are messages. A message
 * that was sent before in the same way is the same object again, as long as `modelNames` and `echo` are the same ones.
 */
export function sentMessages({ messages, ...shared }: Transcript): ModelMessage[] {
  const ids = sentCallIds(messages);
  const idOf = (toolUseId: string) => ids.get(toolUseId) ?? toolUseId;
  const out: ModelMessage[] = [];
  for (const message of messages) {
    let sent = sentBefore.get(message);
    if (sent === undefined || !isSame(sent.shared, shared) || !hasIds(message, sent.ids, idOf)) {
      sent = { shared, ids: idsOf(message, idOf), as: sentAs(message, shared, idOf) };
      sentBefore.set(message, sent);
    }
    for (const one of sent.as) out.push(one);
  }
  return out;
}

function isSame(before: Shared, now: Shared): boolean {
  return before.modelNames === now.modelNames && before.echo === now.echo;
}

function idsOf({ parts }: Message, idOf: (toolUseId: string) => string): string[] {
  return parts.flatMap((part) => ('toolUseId' in part ? [idOf(part.toolUseId)] : []));
}

/** Whether these are still the ids of a message's calls and results. */
function hasIds({ parts }: Message, ids: readonly string[], idOf: (toolUseId: string) => string): boolean {
  let at = 0;
  for (const part of parts) {
    if ('toolUseId' in part && idOf(part.toolUseId) !== ids[at++]) return false;
  }
  return true;
}

function sentAs(message: Message, shared: Shared, idOf: (toolUseId: string) => string): ModelMessage[] {
  if (message.role === 'assistant') return [answerOf(message, shared, idOf)];
  const results: ModelMessage[] = [];
  const said: ContentPart[] = [];
  for (const part of message.parts) {
    if (part.type === 'text' || part.type === 'media') said.push(sendable(part));
    if (part.type !== 'tool_result') continue;
    const { name, isError } = part;
    const id = idOf(part.toolUseId);
    const content = part.content.map(sendable);
    results.push({ role: 'tool', id, name: sentName(name, shared.modelNames), content, ...(isError && { isError }) });
  }
  return said.length > 0 ? [...results, { role: 'user', content: said }] : results;
}

/** The model's name of a tool; an unknown name is made valid, since servers reject any other. */
export function sentName(name: string, modelNames: ReadonlyMap<string, string>): string {
  return modelNames.get(name) ?? (name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_');
}

function answerOf(message: Message, { modelNames, echo }: Shared, idOf: (toolUseId: string) => string): ModelMessage {
  const echoed = echo?.(message);
  const said: Answer['content'] = [];
  const calls: { call: ModelToolCall; after: number | undefined }[] = [];
  for (const part of message.parts) {
    if (part.type === 'tool_result') continue;
    if (part.type === 'tool_use') calls.push(callOf(part, sentName(part.name, modelNames), idOf, echoed));
    else said.push(sendable(part.type === 'reasoning' && echoed === undefined ? plain(part) : part));
  }
  const out: Answer = { role: 'assistant', content: inOrder(said, calls) };
  if (echoed?.message !== undefined) out.providerData = echoed.message;
  if (echoed?.reasoning !== undefined) out.reasoningField = echoed.reasoning;
  return out;
}

type Answer = Extract<ModelMessage, { role: 'assistant' }>;

/** Calls follow what was said, or have their places in it: some servers want each thought right before the call that it led to. */
function inOrder(
  said: Answer['content'],
  calls: readonly { call: ModelToolCall; after: number | undefined }[],
): Answer['content'] {
  const content: Answer['content'] = [];
  let from = 0;
  for (const { call, after = said.length } of calls) {
    for (; from < Math.min(after, said.length); from++) content.push(...said.slice(from, from + 1));
    content.push(call);
  }
  return [...content, ...said.slice(from)];
}

function callOf(
  part: ToolUsePart,
  name: string,
  idOf: (toolUseId: string) => string,
  echoed: Echo | undefined,
): { call: ModelToolCall; after: number | undefined } {
  const { fields, after } = echoed?.call(part, name) ?? {};
  const call: ModelToolCall = { type: 'call', id: idOf(part.toolUseId), name, input: wellFormedJson(part.input) };
  return { call: fields === undefined ? call : { ...call, providerData: fields }, after };
}

/** A part that servers accept. Tools, people and models write texts, and cut them, as they like. */
function sendable<Sent extends TextPart | ReasoningPart | MediaPart>(part: Sent): Sent {
  if (part.type === 'media') return part;
  const text = wellFormed(part.text);
  return text === part.text ? part : { ...part, text };
}

/** Another model's reasoning, without what only that model understands. */
function plain({ providerData: _, ...part }: ReasoningPart): ReasoningPart {
  return part;
}
