import type { ModelAnswer } from '../../agent/model/answer';
import type { Message, Part } from '../../agent/model/message';
import { output } from './run-span-record';
import { textOfParts } from './text-of-parts';

/** Only the newest messages get separate attributes: a span holds 128 attributes by default, and drops the rest. */
const MAX_FLAT = 20;

interface Exchange {
  system?: string | undefined;
  messages: readonly Message[];
  answer?: ModelAnswer;
}

/** The conversation in both conventions: as one JSON, and as an attribute for each field of a message. */
export function modelMessages({ system, messages, answer }: Exchange): { [name: string]: string | undefined } {
  const asked = [
    ...(system === undefined ? [] : [{ role: 'system', parts: [{ type: 'text' as const, text: system }] }]),
    ...messages,
  ];
  const said = answer && {
    role: 'assistant',
    parts: [
      ...answer.parts,
      ...answer.toolRequests.map(({ providerId = '', name, input }) => ({
        type: 'tool_use' as const,
        toolUseId: providerId,
        name,
        input,
      })),
    ],
  };
  const last = messages.at(-1);
  return {
    'gen_ai.input.messages': JSON.stringify(asked.map(asGenAi)),
    'gen_ai.output.messages': said && JSON.stringify([asGenAi(said)]),
    'input.value': last && textOfParts(last.parts),
    ...output(said && textOfParts(said.parts)),
    ...Object.assign(
      {},
      ...asked.slice(-MAX_FLAT).map((message, i) => flat(`llm.input_messages.${i}.message`, message)),
    ),
    ...(said === undefined ? {} : flat('llm.output_messages.0.message', said)),
  };
}

interface SentMessage {
  role: string;
  parts: readonly Part[];
}

/** Tool results have the role `tool` in both conventions, and `user` in ours. */
function roleOf({ role, parts }: SentMessage): string {
  return parts.some(({ type }) => type === 'tool_result') ? 'tool' : role;
}

function asGenAi(message: SentMessage): object {
  return { role: roleOf(message), parts: message.parts.map(genAiPart) };
}

function genAiPart(part: Part): object {
  switch (part.type) {
    case 'tool_use':
      return { type: 'tool_call', id: part.toolUseId, name: part.name, arguments: part.input };
    case 'tool_result':
      return { type: 'tool_call_response', id: part.toolUseId, response: textOfParts(part.content) };
    default:
      return { type: part.type === 'reasoning' ? 'reasoning' : 'text', content: textOfParts([part]) };
  }
}

function flat(at: string, message: SentMessage): { [name: string]: string } {
  const uses = message.parts.filter((part) => part.type === 'tool_use');
  const rest = message.parts.filter((part) => part.type !== 'tool_use' && part.type !== 'reasoning');
  const result = message.parts.find((part) => part.type === 'tool_result');
  const calls = uses.map(({ toolUseId, name, input }, i) => ({
    [`${at}.tool_calls.${i}.tool_call.id`]: toolUseId,
    [`${at}.tool_calls.${i}.tool_call.function.name`]: name,
    [`${at}.tool_calls.${i}.tool_call.function.arguments`]: JSON.stringify(input),
  }));
  return Object.assign(
    { [`${at}.role`]: roleOf(message) },
    rest.length === 0 ? {} : { [`${at}.content`]: textOfParts(rest) },
    result === undefined ? {} : { [`${at}.tool_call_id`]: result.toolUseId },
    ...calls,
  );
}
