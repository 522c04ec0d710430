import type { ChatMessage } from 'holdfast/testing';

/** A tool call with its result. */
export interface Done {
  name: string;
  args: { [name: string]: unknown };
  result: string;
}

/** The parts of a transcript that decide the answer. */
export interface Story {
  /** The person's last message. */
  wish: string;
  /** The calls that were made for that message, and those before it. */
  now: Done[];
  before: Done[];
  /** What the person undid since the model's last answer. */
  undone: string[];
}

const UNDONE = 'The person undid ';

export function readStory(messages: readonly ChatMessage[]): Story {
  const isPersons = (message: ChatMessage) => message.role === 'user' && !textOf(message).startsWith(UNDONE);
  const last = messages.findLastIndex(isPersons);
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant');
  return {
    wish: last < 0 ? '' : textOf(messages[last]),
    now: doneIn(messages.slice(last + 1)),
    before: doneIn(messages.slice(0, last + 1)),
    undone: messages
      .slice(spoke + 1)
      .map(textOf)
      .filter((text) => text.startsWith(UNDONE))
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
