import { type ChatRequest, type ModelReply, text } from 'holdfast/testing';
import { diligent, read, workIn } from './diligent';

/** Stops after three files, once. */
export function stopping(request: ChatRequest): ModelReply {
  const stop = "I've renamed 3 files. There are 4 remaining...";
  const stopped = textsOf(request).includes(stop);
  return workIn(request).renamed.length === 3 && !stopped ? text(stop) : diligent(request);
}

/** Lists the folder, and then has excuses only. */
export function refusing(request: ChatRequest): ModelReply {
  if (workIn(request).present === undefined) return diligent(request);
  const excuses = [
    "I don't have access to your files.",
    'Would you like me to explain how files are renamed?',
    "I'm unable to open pictures.",
    "I can't do that. Please rename the files yourself.",
  ];
  const given = textsOf(request).length;
  return text(excuses[given] ?? 'No.');
}

/** Says nothing after five files, until it has no tools. */
export function silent(request: ChatRequest): ModelReply {
  if (mustConclude(request)) return text(soFar(request));
  return workIn(request).renamed.length < 5 ? diligent(request) : text('');
}

/** Says nothing after two files, whatever it is asked. */
export function speechless(request: ChatRequest): ModelReply {
  const works = !mustConclude(request) && workIn(request).renamed.length < 2;
  return works ? diligent(request) : text('');
}

/** Reads the third file again and again. */
export function repeating(request: ChatRequest): ModelReply {
  if (mustConclude(request)) return text(soFar(request));
  const work = workIn(request);
  return (work.renamed.length < 2 ? undefined : read(work)) ?? diligent(request);
}

/** The concluding call of a small model has no tools. */
function mustConclude({ tools }: ChatRequest): boolean {
  return tools === undefined;
}

/** Reads the words of the results: without tools, calls and results are text. */
function soFar({ messages }: ChatRequest): string {
  const said = messages.map(({ content }) => String(content)).join('\n');
  const count = (words: RegExp) => [...said.matchAll(words)].length;
  return `I processed ${count(/Successfully moved/g)} of ${count(/\[FILE\] Screenshot/g)} screenshots.`;
}

function textsOf({ messages }: ChatRequest): string[] {
  return messages.flatMap(({ role, content }) =>
    role === 'assistant' && typeof content === 'string' && content !== '' ? [content] : [],
  );
}
