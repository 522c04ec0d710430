import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../agent/errors/error';
import { isJsonObject, type JsonObject } from '../../agent/values/json';
import { visibleJson } from '../../agent/values/visible';
import type { Prompts } from './prompts';

/** The result of editing: new arguments, a problem with them, or `undefined` if nothing was changed. */
export type Edited = { input: JsonObject } | { problem: string } | undefined;

/** Lets a person change arguments in their editor, or at a prompt if none is set. */
export async function editArguments(
  input: JsonObject,
  { prompts, env = process.env }: { prompts: Pick<Prompts, 'askLines'>; env?: NodeJS.ProcessEnv },
): Promise<Edited> {
  const before = visibleJson(input, 2);
  const editor = env.VISUAL || env.EDITOR;
  const after =
    editor === undefined || editor === ''
      ? await prompts.askLines('New arguments (JSON; Tab and Enter when done)', before)
      : await inEditor(editor, before);
  return after === undefined ? undefined : editedFrom(before, after);
}

/** `undefined` if nothing was changed. */
export function editedFrom(before: string, after: string): Edited {
  let input: unknown;
  try {
    input = JSON.parse(after);
  } catch (error) {
    return { problem: `That is not valid JSON (${messageOf(error)}). Nothing was decided.` };
  }
  if (!isJsonObject(input)) return { problem: 'Arguments are an object; nothing was decided.' };
  return JSON.stringify(input) === JSON.stringify(JSON.parse(before)) ? undefined : { input };
}

/** The folder is readable by this user only: arguments may be secret. */
async function inEditor(editor: string, text: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-'));
  const file = join(folder, 'arguments.json');
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600 });
    // Started by the shell, since the editor may be set with arguments, such as `code --wait`.
    const child = spawn(`${editor} "${file}"`, { shell: true, stdio: 'inherit' });
    const code = await new Promise<number | null>((done) => child.once('exit', done).once('error', () => done(1)));
    return code === 0 ? await readFile(file, 'utf8') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
