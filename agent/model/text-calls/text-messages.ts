import { emptyResult } from '../../prompts/calls/results';
import { calledInText, resultInText } from '../../prompts/calls/text-calls';
import type { ToolSpec } from '../../protocol/manifest';
import type { ContentPart, Message, Part, TextPart, ToolResultPart, ToolUsePart } from '../message';
import { writtenAddress } from './tool-address';

type Known = ReadonlyMap<string, ToolSpec>;

/** Parts never change, and what is counted or sent for one must be the same object in each later call. */
const rendered = new WeakMap<Part, Part[]>();

/**
 * A transcript as a model reads it that calls tools in its text: each call is a tag, and each result a message that names
 * the tool. The messages keep their places.
 */
export function textMessages(messages: readonly Message[], tools: readonly ToolSpec[]): Message[] {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  return messages.map((message) => {
    if (!message.parts.some(isOfTool)) return message;
    return { ...message, parts: message.parts.flatMap((part, i) => shown(part, message.parts[i - 1], known)) };
  });
}

function isOfTool({ type }: Part): boolean {
  return type === 'tool_use' || type === 'tool_result';
}

function shown(part: Part, before: Part | undefined, known: Known): Part[] {
  if (part.type !== 'tool_use' && part.type !== 'tool_result') return [part];
  const found =
    rendered.get(part) ?? (part.type === 'tool_use' ? [callOf(part, before, known)] : resultOf(part, known));
  rendered.set(part, found);
  return found;
}

function callOf({ name, input }: ToolUsePart, before: Part | undefined, known: Known): TextPart {
  const isOnLine = before !== undefined && (before.type !== 'text' || !before.text.endsWith('\n'));
  const tag = calledInText(writtenAddress(name, known), input);
  return { type: 'text', text: isOnLine && before.type !== 'reasoning' ? `\n${tag}` : tag };
}

function resultOf({ name, content, isError }: ToolResultPart, known: Known): ContentPart[] {
  const title = resultInText(writtenAddress(name, known), isError === true);
  const [first, ...rest] = content;
  if (first?.type === 'text') return [{ type: 'text', text: `${title}\n${first.text}` }, ...rest];
  const head: TextPart = { type: 'text', text: content.length === 0 ? `${title}\n${emptyResult()}` : title };
  return [head, ...content];
}
