import { nearNames } from '../../agent/model/name-table';

/** What `holdfast chat` can be told besides messages: how it is written, and what it does. */
export const COMMANDS = {
  help: { args: '', says: 'this list' },
  steer: { args: '<text>', says: 'say something at once: the answer under way is broken off for it' },
  queue: { args: '<text>', says: 'say something that is read at the next turn, as what is typed meanwhile is' },
  next: { args: '<text>', says: 'say something that is answered after what is under way' },
  stop: { args: '', says: 'stop the answer (Ctrl-C); the conversation stays' },
  retry: { args: '', says: 'ask the model at once where it does not answer' },
  regenerate: { args: '', says: 'have the last answer made anew' },
  undo: { args: '[n]', says: 'take back what the last n tools did, 1 unless you say more' },
  waiting: { args: '', says: 'show again what waits for you' },
  answer: { args: '<text>', says: 'answer the oldest question' },
  decline: { args: '[reason]', says: 'do not answer the oldest question' },
  approve: { args: '<call> [comment]', says: 'let a call run, such as t1.1' },
  deny: { args: '<call> [reason]', says: 'keep a call from running; the model reads the reason' },
  budget: { args: '', says: "how much of the model's window is in use" },
  thinking: { args: '', says: 'what the model thought last' },
  history: { args: '[n]', says: 'the last n messages, 20 unless you say more' },
  rename: { args: '<title>', says: 'give the conversation a title, which lists show' },
  id: { args: '', says: 'the id of the conversation, and how to come back' },
  exit: { args: '', says: 'leave (Ctrl-D); the conversation waits for you' },
  close: { args: '', says: 'end the conversation' },
} as const satisfies { readonly [name: string]: { args: string; says: string } };

export type CommandName = keyof typeof COMMANDS;

/** What a person typed. */
export type ChatInput =
  | { type: 'nothing' }
  | { type: 'message'; text: string }
  | { type: 'command'; name: CommandName; rest: string }
  | { type: 'problem'; text: string };

/** Reads what was typed; `//` begins a message that begins with a slash. */
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
    return { type: 'problem', text: `/${name} needs something behind it: /${name} ${args}` };
  }
  return { type: 'command', name, rest };
}

/** Every command and what it does. */
export function helpLines(): string[] {
  const all = Object.entries(COMMANDS).map(([name, { args, says }]) => [`/${name} ${args}`.trimEnd(), says] as const);
  const width = Math.max(...all.map(([command]) => command.length));
  return all.map(([command, says]) => `${command.padEnd(width)}  ${says}`);
}

/** A whole number from 1, or what is wrong with it. */
export function countOf(rest: string, usual: number): number | { problem: string } {
  if (rest === '') return usual;
  return /^[1-9]\d{0,5}$/.test(rest) ? Number(rest) : { problem: `Expected a whole number from 1, got \`${rest}\`.` };
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function unknown(word: string): string {
  const near = nearNames(word, Object.keys(COMMANDS)).map((name) => `/${name}`);
  const hint = near.length === 0 ? '/help lists those there are' : `did you mean ${near.join(' or ')}?`;
  return `There is no command /${word}; ${hint}${hint.endsWith('?') ? ' A' : '. A'} message that begins with a slash is typed with two.`;
}
