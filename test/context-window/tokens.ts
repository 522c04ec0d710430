import { countTokens } from 'gpt-tokenizer';
import type { ChatRequest } from '../kit/model-reply';

/** Tokens of a request, as a server counts them. */
export const tokensOf = ({ messages, tools = [], response_format: output }: ChatRequest) =>
  countTokens(JSON.stringify(tools)) +
  (output === undefined ? 0 : countTokens(JSON.stringify(output))) +
  messages.reduce(
    (sum, { content, tool_calls: calls = [] }) =>
      sum + 4 + countTokens(String(content ?? '')) + (calls.length === 0 ? 0 : countTokens(JSON.stringify(calls))),
    0,
  );

/** Whether a request asks for a summary. */
export const asksForSummary = ({ messages }: ChatRequest) =>
  String(messages[0]?.content).startsWith('You compact the conversation');

/** The texts of a request, one line each. */
export const linesOf = ({ messages }: ChatRequest) => messages.map(({ role, content }) => `${role}: ${content}`);
