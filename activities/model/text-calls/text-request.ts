import type { ModelMessage, ModelRequest } from '../../../agent/model/adapter';
import type { TextPart } from '../../../agent/model/message';
import { textMessages } from '../../../agent/model/text-calls/text-messages';
import { callingRules, mcpSchemas, toolSchemas } from '../../../agent/prompts/calls/text-calls';
import type { CallModelInput } from '../../../agent/protocol/calls/model-call';
import type { Manifest } from '../../../agent/protocol/manifest';
import { defined } from '../../../agent/values/defined';
import { systemWith } from '../output/describe-output';
import { modelRequest, type RequestArgs } from '../request/model-request';

/** How a call is made whose tools are called in the text of the answer. */
export interface InText {
  /** Only `task_completion` gives the output: its schema describes it. */
  completes?: boolean | undefined;
  /** What the model reads in this call only, after the transcript. */
  reminder?: string | undefined;
  /** The turn message of the agent tells of the tools, in sections that it may have replaced. */
  toolsInTurn?: boolean | undefined;
}

/** How a call is made with its tools in text; `undefined`: as the provider of the model provides. */
export function inTextOf(
  { toolCalls, completes, prompt }: Manifest,
  { reminder }: Pick<CallModelInput, 'reminder'>,
): InText | undefined {
  return toolCalls === 'text' ? { completes, reminder, toolsInTurn: prompt !== undefined } : undefined;
}

/**
 * The request of a model call, without native tools: what they are, how they are called, and what came of earlier calls is
 * text. The output is described, too: a server that is told of its schema would let the model write nothing else.
 */
export function textRequest(args: RequestArgs, inText: InText): ModelRequest {
  const { tools, offered = tools, output, messages } = args;
  const request = modelRequest({
    ...args,
    tools: [],
    offered: [],
    output: undefined,
    system: textSystem(args.system ?? undefined, { tools: offered, output, ...inText }),
    messages: textMessages(messages, tools),
  });
  return { ...request, messages: alternating([...request.messages, ...reminderMessages(inText)]) };
}

/** The system prompt of such a call, which ends with the tools. */
export function textSystem(
  system: string | undefined,
  { tools, output, completes, toolsInTurn }: Pick<RequestArgs, 'tools' | 'output'> & Omit<InText, 'reminder'>,
): string | undefined {
  const withTools = [...(system ? [system] : []), ...(toolsInTurn ? [] : toolsInText(tools))].join('\n\n');
  const described = completes ? undefined : output;
  const hasTools = tools.length > 0;
  return systemWith(withTools || undefined, described, { structuredOutput: 'prompt', hasTools });
}

function toolsInText(tools: RequestArgs['tools']): string[] {
  if (tools.length === 0) return [];
  return [toolSchemas(tools), mcpSchemas(tools), callingRules()].filter((text) => text !== '');
}

function reminderMessages({ reminder }: InText): ModelMessage[] {
  return reminder === undefined ? [] : [{ role: 'user', content: [{ type: 'text', text: reminder }] }];
}

const GAP: TextPart = { type: 'text', text: '\n\n' };

/**
 * User and assistant take turns: the chat templates of many models without tool calling refuse anything else. What only
 * the provider understands stays with its message.
 */
function alternating(messages: readonly ModelMessage[]): ModelMessage[] {
  const out: ModelMessage[] = [];
  for (const message of messages) {
    const last = out.at(-1);
    const next = message.role === 'assistant' ? withoutThoughts(message) : message;
    if (next.role === 'tool' || next.content.length === 0) continue;
    if (last?.role === 'user' && next.role === 'user') {
      out[out.length - 1] = { role: 'user', content: [...last.content, ...next.content] };
    } else if (last?.role === 'assistant' && isPlain(last) && isPlain(next)) {
      out[out.length - 1] = { ...next, content: [...last.content, GAP, ...next.content] };
    } else out.push(next);
  }
  return out;
}

type Answer = Extract<ModelMessage, { role: 'assistant' }>;

function isPlain(message: ModelMessage): message is Answer {
  return message.role === 'assistant' && message.providerData === undefined;
}

/** Reasoning is sent back only where a provider asks for it. */
function withoutThoughts({ reasoningField: _, ...message }: Answer): Answer {
  const content = message.content.filter((part) => part.type !== 'reasoning' || part.providerData !== undefined);
  return { ...message, content, ...defined({ providerData: message.providerData }) };
}
