import type { JsonObject } from '../values/json';
import type { ModelMessage, ModelToolCall } from './adapter';
import type { ContentPart, Message, ReasoningPart, ToolUsePart } from './message';
import { sentCallIds } from './sent-call-ids';

/** What a message has that only its provider understands, and wants back. */
export interface Echo {
  /** Fields of the message. */
  message?: JsonObject;
  /** The field in which the reasoning came, where it is to be sent back in it. */
  reasoning?: string;
  /** Fields of one call, such as a signature. Each call is asked for once, in order. */
  call(part: ToolUsePart, sentName: string): JsonObject | undefined;
}

export interface Transcript {
  /** As they are to be shown, with media masked. */
  messages: readonly Message[];
  /** Canonical tool names and the names that the model uses. */
  modelNames: ReadonlyMap<string, string>;
  /** Default: nothing is sent back that only a provider understands. */
  echo?: (message: Message) => Echo | undefined;
}

/** Our messages as a model is shown them: tools have the model's names, calls have ids, results are messages. */
export function sentMessages(transcript: Transcript): ModelMessage[] {
  const ids = sentCallIds(transcript.messages);
  const idOf = (toolUseId: string) => ids.get(toolUseId) ?? toolUseId;
  const out: ModelMessage[] = [];
  for (const message of transcript.messages) {
    if (message.role === 'assistant') {
      out.push(answerOf(message, transcript, idOf));
      continue;
    }
    const said: ContentPart[] = [];
    for (const part of message.parts) {
      if (part.type === 'text' || part.type === 'media') said.push(part);
      if (part.type !== 'tool_result') continue;
      const { name, content, isError } = part;
      const id = idOf(part.toolUseId);
      out.push({ role: 'tool', id, name: sentName(name, transcript.modelNames), content, ...(isError && { isError }) });
    }
    if (said.length > 0) out.push({ role: 'user', content: said });
  }
  return out;
}

/** The model's name of a tool; an unknown name is made valid, since servers reject any other. */
export function sentName(name: string, modelNames: ReadonlyMap<string, string>): string {
  return modelNames.get(name) ?? (name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || '_');
}

function answerOf(
  message: Message,
  { modelNames, echo }: Transcript,
  idOf: (toolUseId: string) => string,
): ModelMessage {
  const echoed = echo?.(message);
  const out: Extract<ModelMessage, { role: 'assistant' }> = { role: 'assistant', content: [] };
  for (const part of message.parts) {
    if (part.type === 'tool_result') continue;
    if (part.type === 'tool_use') out.content.push(callOf(part, sentName(part.name, modelNames), idOf, echoed));
    else out.content.push(part.type === 'reasoning' && echoed === undefined ? plain(part) : part);
  }
  if (echoed?.message !== undefined) out.providerData = echoed.message;
  if (echoed?.reasoning !== undefined) out.reasoningField = echoed.reasoning;
  return out;
}

function callOf(
  part: ToolUsePart,
  name: string,
  idOf: (toolUseId: string) => string,
  echoed: Echo | undefined,
): ModelToolCall {
  const providerData = echoed?.call(part, name);
  return {
    type: 'call',
    id: idOf(part.toolUseId),
    name,
    input: part.input,
    ...(providerData === undefined ? {} : { providerData }),
  };
}

/** Another model's reasoning, without what only that model understands. */
function plain({ providerData: _, ...part }: ReasoningPart): ReasoningPart {
  return part;
}
