import { extname, join } from 'node:path';
import type { ChatRequest, ModelReply } from 'holdfast/testing';
import { fileName, titleWords } from './demo-model/file-name';
import { type Progress, progressOf } from './demo-model/progress';
import { readTranscript, type Transcript } from './demo-model/transcript';

/** A default name: `Screenshot 2026-02-11 at 09.14.03.png`. */
const SCREENSHOT = /^Screenshot \d{4}-\d\d-\d\d\b.*\.(png|jpe?g|bmp|webp)$/i;
const PICTURE = /\.(png|jpe?g|bmp|webp)$/i;

/** Attempts to list the folder, or to read or rename one file, before giving up. */
const TRIES = 3;

/**
 * The demo model: does what a small model would do next, derived only from the transcript. It lists the folder, reads
 * two or three pictures at once, renames them after their text, and lists again if an outcome is unknown.
 */
export function decide(request: ChatRequest): ModelReply {
  const transcript = readTranscript(request);
  const { chat } = transcript;
  if (chat?.asked === false) return { text: OFFER };
  const progress = progressOf(transcript.exchanges);
  const next = () => look(transcript, progress) ?? rename(transcript, progress) ?? read(transcript, progress);
  const reply = request.tool_choice === 'none' ? undefined : next();
  const text = chat === undefined ? JSON.stringify(conclusion(progress)) : toldConclusion(progress);
  return reply ?? { text };
}

const OFFER =
  'I can read the screenshots in your folder and give them names that say what they show. You approve each rename. Say "rename my screenshots" to begin.';

/** The same in words, for a person. */
function toldConclusion(progress: Progress): string {
  const { renamed, skipped } = conclusion(progress);
  if (renamed.length === 0 && skipped.length === 0) return 'There is nothing to rename.';
  const done = renamed.map(({ from, to }) => `- **${to}** was ${from}`);
  const left = skipped.map(({ file, reason: why }) => `- ${file}: ${why}`);
  return [
    ...(done.length === 0 ? [] : [`Renamed ${done.length}:`, ...done]),
    ...(left.length === 0 ? [] : [...(done.length === 0 ? [] : ['']), 'Left alone:', ...left]),
  ].join('\n');
}

function look({ folder, tools }: Transcript, progress: Progress): ModelReply | undefined {
  const fresh = progress.present !== undefined && progress.unclear.size === 0;
  if (fresh || folder === undefined || tools.list === undefined || progress.listProblems.length >= TRIES) return;
  return {
    text:
      progress.present === undefined
        ? 'First I look at what is in the folder.'
        : 'I cannot tell what became of a rename, so I look at the folder again.',
    calls: [{ name: tools.list, arguments: { path: folder } }],
  };
}

function rename({ folder = '', tools }: Transcript, progress: Progress): ModelReply | undefined {
  const { move } = tools;
  const taken = new Set([...(progress.present ?? []), ...progress.spent]);
  const ready = open(progress).filter((file) => progress.texts.has(file));
  if (move === undefined || ready.length === 0) return;
  const calls = ready.map((file) => {
    const to = fileName(titleWords(progress.texts.get(file) ?? ''), extname(file), taken);
    taken.add(to);
    return { name: move, arguments: { source: join(folder, file), destination: join(folder, to) } };
  });
  // It comments only on its first renames.
  return progress.renamed.length === 0 ? { text: 'Their titles make good names. Renaming them.', calls } : { calls };
}

function read({ folder = '', tools }: Transcript, progress: Progress): ModelReply | undefined {
  const { read: tool } = tools;
  const unread = open(progress);
  if (tool === undefined || unread.length === 0) return;
  // Seven files make batches of three, two and two.
  const batch = unread.slice(0, unread.length === 4 ? 2 : 3);
  const which = progress.texts.size === 0 ? 'first' : batch.length === unread.length ? 'last' : 'next';
  const count = ['', 'one', 'two', 'three'][batch.length];
  return {
    text: `Reading the ${which} ${count}…`,
    calls: batch.map((file) => ({ name: tool, arguments: { path: join(folder, file) } })),
  };
}

/** Screenshots that certainly still have their old name, without a reason to keep it, in order. */
function open(progress: Progress): string[] {
  const isOpen = (file: string) =>
    SCREENSHOT.test(file) && !progress.unclear.has(file) && reason(file, progress) === undefined;
  return [...(progress.present ?? [])].filter(isOpen).sort();
}

function reason(file: string, progress: Progress): string | undefined {
  const { texts, unreadable, readProblems, moveProblems, denied } = progress;
  if (denied.has(file)) return 'You wanted it to keep its name';
  const text = texts.get(file);
  if (text !== undefined && titleWords(text).length === 0) return 'It shows no text that makes a name';
  const problems = [readProblems.get(file) ?? [], moveProblems.get(file) ?? []].find((tries) => tries.length >= TRIES);
  return unreadable.get(file) ?? problems?.at(-1);
}

/** The outcome of each picture, in the form of the agent's output schema. */
function conclusion(progress: Progress): { renamed: Progress['renamed']; skipped: { file: string; reason: string }[] } {
  const { renamed, atFirst, listProblems } = progress;
  const done = new Set(renamed.map(({ from }) => from));
  const skipped = [...atFirst]
    .filter((file) => PICTURE.test(file) && !done.has(file))
    .sort()
    .map((file) => ({ file, reason: SCREENSHOT.test(file) ? whyKept(file, progress) : 'It has a name already' }));
  const unlisted = listProblems.length === 0 ? [] : [{ file: '.', reason: listProblems.at(-1) ?? '' }];
  return { renamed, skipped: [...skipped, ...unlisted] };
}

function whyKept(file: string, progress: Progress): string {
  if (progress.unclear.has(file)) return 'It is unknown whether its rename took effect';
  if (progress.present?.has(file) === false) return 'It is no longer there';
  return reason(file, progress) ?? progress.moveProblems.get(file)?.at(-1) ?? 'There was no call left for it';
}
