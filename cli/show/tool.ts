import { writeFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { HoldfastError } from '../../agent/errors/error';
import type { ContentPart, Message, ToolResultPart } from '../../agent/model/message';
import type { CommandRun } from '../remote/run-client';
import { mediaText } from './transcript';

export interface ToolSinks {
  /** Takes the result itself, unchanged. */
  out(text: string, form: 'text' | 'json'): void;
  /** Takes notes about it, one line each. */
  err(line: string): void;
}

/** The part of a run that is used here. */
type ToldRun = Pick<CommandRun, 'id' | 'toolResult' | 'transcript'>;

interface ToolOptions {
  json: boolean;
  /** File for the media, or for the text if there are none. */
  out?: string | undefined;
}

/**
 * Prints the full result of a tool call and returns the exit code. The result is read from the history, without a
 * worker. Only the results of calls that never ran are in the transcript alone.
 * @throws HoldfastError `RunNotFound`, `NoServer`
 */
export async function showTool(
  run: ToldRun,
  toolUseId: string,
  options: ToolOptions,
  sinks: ToolSinks,
): Promise<number> {
  const found = (await run.toolResult(toolUseId)) ?? (await toldResult(run, toolUseId, sinks));
  if (found === undefined) return 1;
  if (options.out !== undefined) return writeParts(found, options.out, sinks);
  if (options.json) sinks.out(`${JSON.stringify(found, null, 2)}\n`, 'json');
  else for (const part of found) print(part, sinks);
  return 0;
}

/** The result as the model saw it, or a note on why there is none. */
async function toldResult(run: ToldRun, toolUseId: string, { err }: ToolSinks): Promise<ContentPart[] | undefined> {
  let messages: Message[];
  try {
    messages = await run.transcript();
  } catch (error) {
    if (!(error instanceof HoldfastError) || error.type !== 'NoWorker') throw error;
    err(
      `The history of \`${run.id}\` has no result of \`${toolUseId}\`, and no worker answers to tell more. ${error.message}`,
    );
    return undefined;
  }
  const parts = messages.flatMap((message) => message.parts);
  const result = parts.find(
    (part): part is ToolResultPart => part.type === 'tool_result' && part.toolUseId === toolUseId,
  );
  if (result !== undefined) return result.content;
  const calls = parts.flatMap((part) => (part.type === 'tool_use' ? [part.toolUseId] : []));
  if (calls.includes(toolUseId)) err(`The call \`${toolUseId}\` of \`${run.id}\` has no result yet.`);
  else {
    const last = calls.length === 0 ? 'it has made none' : `its calls are ${listOf(calls)}`;
    err(`The run \`${run.id}\` has no call \`${toolUseId}\`: ${last}.`);
  }
  return undefined;
}

/** Maximum calls that a message names: a run may have thousands. */
const NAMED = 12;

function listOf(calls: readonly string[]): string {
  const named = calls.slice(0, NAMED).join(', ');
  return calls.length > NAMED ? `${named} … ${calls.at(-1)}` : named;
}

function print(part: ContentPart, { out, err }: ToolSinks): void {
  if (part.type === 'text') out(part.text.endsWith('\n') ? part.text : `${part.text}\n`, 'text');
  else err(`${mediaText(part)}${part.data === undefined ? '' : ' (`--out FILE` writes it)'}`);
}

/** Writes media to the file, the second one to `name-2.ext` and so on. Without media it writes the text. */
async function writeParts(parts: readonly ContentPart[], file: string, sinks: ToolSinks): Promise<number> {
  const media = parts.flatMap((part) =>
    part.type === 'media' && part.data !== undefined ? [{ ...part, data: part.data }] : [],
  );
  if (media.length === 0) {
    await written(file, parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n'), sinks);
    for (const part of parts) if (part.type !== 'text') print(part, sinks);
    return 0;
  }
  for (const [i, part] of media.entries())
    await written(numbered(file, i + 1), Buffer.from(part.data, 'base64'), sinks);
  for (const part of parts) if (part.type === 'text' || part.data === undefined) print(part, sinks);
  return 0;
}

async function written(file: string, content: string | Buffer, { err }: ToolSinks): Promise<void> {
  await writeFile(file, content);
  err(`${Buffer.byteLength(content)} bytes in ${file}`);
}

function numbered(file: string, n: number): string {
  const extension = extname(file);
  return n === 1 ? file : `${file.slice(0, file.length - extension.length)}-${n}${extension}`;
}
