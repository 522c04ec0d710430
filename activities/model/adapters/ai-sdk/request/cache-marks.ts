import { joinedOptions } from '../provider-traits';
import type { CallOptions, PromptMessage, ProviderOptions } from './prompt-form';

/**
 * Marks the prefixes that the next call will share, four at most: the tools, the system prompt, the newest message, and
 * the newest message of the call before. Anthropic finds an earlier prefix only 20 blocks before a mark, and an answer
 * with its results may have more.
 * @param fromEnd place of the newest message that the next call shares: 2 if the last one is of this call only
 */
export function markPrefixes({ prompt, tools = [] }: CallOptions, mark: ProviderOptions, fromEnd = 1): void {
  const marked: { providerOptions?: ProviderOptions }[] = [];
  const system = prompt.find(({ role }) => role === 'system');
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant');
  for (const each of [tools.at(-1), system, prompt[answer - 1], prompt.at(-fromEnd)]) {
    if (each !== undefined && !isAnswer(each) && !marked.includes(each)) marked.push(each);
  }
  for (const each of marked) each.providerOptions = joinedOptions(each.providerOptions, mark) ?? {};
}

/** An answer may end with reasoning, which cannot be marked. */
function isAnswer(part: object): boolean {
  return (part as Partial<PromptMessage>).role === 'assistant';
}
