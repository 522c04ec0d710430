import { nearNames } from '../../agent/model/names/name-table';

/** The commands of `holdfast chat`: their arguments and what they do. */
export const COMMANDS = {
  help: { args: '', says: 'this list' },
  steer: { args: '<text>', says: 'send a message at once; it interrupts the answer in progress' },
  queue: { args: '<text>', says: 'send a message for the next turn, as plain text does during an answer' },
  next: { args: '<text>', says: 'send a message to be answered after the current exchange' },
  stop: { args: '', says: 'stop the answer (Ctrl-C); the conversation goes on' },
  retry: { args: '', says: 'call the model again at once after a failure' },
  model: { args: '<alias>', says: 'use another model from the next call on' },
  compact: { args: '[n]', says: 'replace all messages but the last n by a summary (default: as the agent is set)' },
  regenerate: { args: '', says: 'regenerate the last answer' },
  undo: { args: '[n|call]', says: 'undo what the last n tools did (default: 1), or one call, such as t1.1' },
  waiting: { args: '', says: 'show again what waits for you' },
  answer: { args: '<text>', says: 'answer the oldest question' },
  decline: { args: '[reason]', says: 'do not answer the oldest question' },
  approve: { args: '<call> [comment]', says: 'let a call run, such as t1.1' },
  deny: { args: '<call> [reason]', says: 'keep a call from running; the model reads the reason' },
  budget: { args: '', says: "how much of the model's window is in use" },
  thinking: { args: '', says: 'what the model thought last' },
  history: { args: '[n]', says: 'the last n messages (default: 20)' },
  rename: { args: '<title>', says: 'give the conversation a title, which lists show' },
  id: { args: '', says: 'the id of the conversation, and the command that returns to it' },
  exit: { args: '', says: 'leave (Ctrl-D); the conversation waits for you' },
  close: { args: '', says: 'end the conversation' },
} as const satisfies { readonly [name: string]: { args: string; says: string } };

export type CommandName = keyof typeof COMMANDS;

/** What the person typed. */
export type ChatInput =
  | { type: 'nothing' }
  | { type: 'message'; text: string }
  | { type: 'command'; name: CommandName; rest: string }
  | { type: 'problem'; text: string };

/** Parses what was typed. `//` starts a message that begins with a slash. */
export function parseInput(typed: string): ChatInput {
  const text = typed.trim();
  if (text === '') return { type: 'nothing' };
  if (!text.startsWith('/')) return { type: 'message', text };
  if (text.startsWith('//')) return { type: 'message', text: text.slice(1) };
  const [, word = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
  const name = word.toLowerCase();
  if (!isCommand(name)) return { type: 'problem', text: unknown(word) };
  const { args } = COMMANDS[name];
  if (args.startsWith('<') && rest === '') {
    return { type: 'problem', text: `/${name} needs an argument: /${name} ${args}` };
  }
  return { type: 'command', name, rest };
}

/** One line for each command. */
export function helpLines(): string[] {
  const all = Object.entries(COMMANDS).map(([name, { args, says }]) => [`/${name} ${args}`.trimEnd(), says] as const);
  const width = Math.max(...all.map(([command]) => command.length));
  return all.map(([command, says]) => `${command.padEnd(width)}  ${says}`);
}

/** A whole number from 1, or the problem with it. */
export function countOf(rest: string, usual: number): number | { problem: string } {
  if (rest === '') return usual;
  return /^[1-9]\d{0,5}$/.test(rest) ? Number(rest) : { problem: `Expected a whole number from 1, got \`${rest}\`.` };
}

/** What `/undo` is to undo, or the problem with it. */
export function undoOf(rest: string): number | { toolUseId: string } | { problem: string } {
  if (/^t\d\S*$/.test(rest)) return { toolUseId: rest };
  const count = countOf(rest, 1);
  if (typeof count === 'number') return count;
  return { problem: `Expected a whole number from 1, or a call, such as \`t3.1\`, got \`${rest}\`.` };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function unknown(word: string): string {
  const near = nearNames(word, Object.keys(COMMANDS)).map((name) => `/${name}`);
  const hint = near.length === 0 ? '/help lists the commands' : `did you mean ${near.join(' or ')}?`;
  return `There is no command /${word}; ${hint}${hint.endsWith('?') ? ' A' : '. A'} message that begins with a slash needs two.`;
}
