import type { ChatMessage, ModelReply } from 'holdfast/testing';
import { append, FOLDER, start, TOOLS } from './desk';

export const SHOT = (n: number) => `Screenshot 2026-02-11 at 09.14.0${n}.png`;
export const at = (name: string) => `${FOLDER}/${name}`;
export const list = { name: TOOLS.list, arguments: { path: FOLDER } };
export const read = (name: string) => ({ name: TOOLS.read, arguments: { path: at(name) } });
export const move = (from: string, to: string) => ({
  name: TOOLS.move,
  arguments: { source: at(from), destination: at(to) },
});

/** A transcript of calls and their results, with one answer per step. */
export function transcript(
  ...steps: [call: NonNullable<ModelReply['calls']>[number], result: string][][]
): ChatMessage[] {
  const messages = start();
  for (const step of steps) {
    const results = step.map(([, result]) => result);
    append(messages, { calls: step.map(([call]) => call) }, () => results.shift() ?? '');
  }
  return messages;
}

export const LISTED = (...names: string[]): [typeof list, string] => [
  list,
  names.map((name) => `[FILE] ${name}`).join('\n'),
];
export const UNKNOWN = `It is unknown whether \`${TOOLS.move}\` took effect: its worker died or stopped answering.`;
export const done = (reply: ModelReply) => JSON.parse(reply.text ?? '') as unknown;
