import { text } from 'node:stream/consumers';
import { HoldfastError, messageOf } from '../../agent/errors/error';
import type { Json } from '../../agent/values/json';
import { readText } from '../../runtime/files/read-text';

/**
 * Reads the input of a run from one argument: JSON, `@file`, `-` for standard input, or a plain text.
 * @throws HoldfastError `InvalidInput` for a file that cannot be read, and for broken JSON
 */
export function readInput(
  argument: string,
  agent: string,
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<Json> {
  return readJson(argument, (problem) => new HoldfastError('InvalidInput', { agent, problem }), stdin);
}

/** The same for any argument of a command. `fail` makes the error from the problem. */
export async function readJson(
  argument: string,
  fail: (problem: string) => HoldfastError,
  stdin: NodeJS.ReadableStream = process.stdin,
): Promise<Json> {
  let source = argument;
  if (argument === '-') source = await text(stdin);
  else if (argument.startsWith('@')) {
    const file = argument.slice(1);
    if (file === '') throw fail('a file is missing after the @, as in @mail.json');
    source = await readText(file, (problem) => fail(`${file}: ${problem}`));
  }
  const trimmed = source.trim();
  try {
    return JSON.parse(trimmed) as Json;
  } catch (error) {
    // `[urgent] call me` is a text. Text that starts like an object, or is bracketed as a whole, is meant as JSON.
    if (/^\{|^\[.*\]$|^".*"$/s.test(trimmed)) throw fail(`it is not valid JSON (${messageOf(error)})`);
    return argument === source ? source : source.replace(/\r?\n$/, '');
  }
}
