import type { Message } from '../../../agent/model/message';
import { textMessages } from '../../../agent/model/text-calls/text-messages';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { Manifest } from '../../../agent/protocol/manifest';
import { callsAsText } from '../../../agent/strategy/calls-as-text';

/**
 * A call with the tools that it sends. The concluding call keeps them, for the provider's cache, except for small models:
 * without tools they write a text, whatever they make of `tool_choice`. Earlier calls are text then, in words, since some
 * servers refuse them in a request without tools.
 */
export function withSentTools<Call extends { manifest: Manifest; messages: Message[] }>(
  call: Call,
  { toolChoice }: Pick<CallModelInput, 'toolChoice'>,
): Call {
  const { manifest, messages } = call;
  if (toolChoice !== 'none' || manifest.modelClass !== 'small' || manifest.tools.length === 0) return call;
  const shown = manifest.toolCalls === 'text' ? textMessages(messages, manifest.tools) : callsAsText(messages);
  return { ...call, manifest: { ...manifest, tools: [] }, messages: shown };
}
