import { extname, join } from 'node:path';
import { type ChatRequest, call, type ModelReply, text } from 'holdfast/testing';
import { fileName, titleWords } from '../../screenshots/demo-model/file-name';
import { type Progress, progressOf } from '../../screenshots/demo-model/progress';
import { readTranscript, type Transcript } from '../../screenshots/demo-model/transcript';

/** Makes one call at a time, as small models do: lists the folder, then reads and renames file after file. */
export function diligent(request: ChatRequest): ModelReply {
  const work = workIn(request);
  const next = list(work) ?? rename(work) ?? read(work);
  return next ?? text('All screenshots have been renamed successfully.');
}

/** What has been done, according to the transcript. Nothing is remembered between two requests. */
export interface Work extends Progress {
  folder: string;
  tools: Transcript['tools'];
}

export function workIn(request: ChatRequest): Work {
  const { folder = '', tools, exchanges } = readTranscript(request);
  return { ...progressOf(exchanges), folder, tools };
}

export function list({ present, folder, tools }: Work): ModelReply | undefined {
  return present !== undefined || tools.list === undefined ? undefined : call(tools.list, { path: folder });
}

/** Renames the first file that has been read. */
export function rename({ present, texts, folder, tools }: Work): ModelReply | undefined {
  const file = screenshotsIn(present).find((name) => texts.has(name));
  if (file === undefined || tools.move === undefined) return undefined;
  const to = fileName(titleWords(texts.get(file) ?? ''), extname(file), new Set(present));
  return call(tools.move, { source: join(folder, file), destination: join(folder, to) });
}

/** Reads the first file that has its old name. */
export function read({ present, folder, tools }: Work): ModelReply | undefined {
  const file = screenshotsIn(present)[0];
  return file === undefined || tools.read === undefined ? undefined : call(tools.read, { path: join(folder, file) });
}

function screenshotsIn(names: Iterable<string> = []): string[] {
  return [...names].filter((name) => name.startsWith('Screenshot ')).sort();
}
