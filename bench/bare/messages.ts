import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';

export interface BareAnswer {
  text: string;
  call?: BareCall;
}

export interface BareCall {
  id: string;
  name: string;
  input: { text: string };
}

/** The message of an answer that calls the tool. */
export function callMessage({ id, name, input }: BareCall): ChatCompletionMessageParam {
  const call = { name, arguments: JSON.stringify(input) };
  return { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: call }] };
}

/** The message with the tool's result. */
export function resultMessage(id: string, content: string): ChatCompletionMessageParam {
  return { role: 'tool', tool_call_id: id, content };
}
