import type { ChatMessage } from 'holdfast/testing';

/** A tool call with its result. */
export interface Done {
  name: string;
  args: { [name: string]: unknown };
  result: string;
}

/** What a model has to know of a transcript before it answers. */
export interface Story {
  /** What the person said last. */
  wish: string;
  /** What was done for that wish, and what was done before. */
  now: Done[];
  before: Done[];
  /** What the person took back since the model spoke last. */
  undone: string[];
}

const TAKEN_BACK = 'The person took back ';

export function readStory(messages: readonly ChatMessage[]): Story {
  const isPersons = (message: ChatMessage) => message.role === 'user' && !textOf(message).startsWith(TAKEN_BACK);
  const last = messages.findLastIndex(isPersons);
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant');
  return {
    wish: last < 0 ? '' : textOf(messages[last]),
    now: doneIn(messages.slice(last + 1)),
    before: doneIn(messages.slice(0, last + 1)),
    undone: messages
      .slice(spoke + 1)
      .map(textOf)
      .filter((text) => text.startsWith(TAKEN_BACK))
      .flatMap((text) => text.split('\n')),
  };
}

function doneIn(messages: readonly ChatMessage[]): Done[] {
  return messages.flatMap(({ tool_calls: calls = [] }) =>
    calls.map(({ id, function: { name, arguments: args } }) => ({
      name,
      args: JSON.parse(args) as Done['args'],
      result: textOf(messages.find(({ tool_call_id: answered }) => answered === id)),
    })),
  );
}

function textOf(message: ChatMessage | undefined): string {
  return typeof message?.content === 'string' ? message.content : '';
}
