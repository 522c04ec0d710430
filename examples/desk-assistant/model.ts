import { type ChatRequest, call, type ModelReply, text } from 'holdfast/testing';
import { nameOf, type Paper, papersIn, unnamedIn } from './papers';
import { type Done, readStory, type Story } from './transcript';

/** Plays a model that tidies such a folder. Like a real model, it never gives the same answer twice. */
export function newModel(): (request: ChatRequest) => ModelReply {
  const said = new Set<string>();
  const fresh = (...wordings: [string, ...string[]]) => {
    const chosen = wordings.find((wording) => !said.has(wording)) ?? wordings[0];
    said.add(chosen);
    return text(chosen);
  };
  return ({ messages }) => {
    const story = readStory(messages);
    if (story.undone.length > 0) return afterUndo(story);
    if (/name|tidy/i.test(story.wish)) return tidy(story);
    const papers = resultsOf([...story.before, ...story.now], 'files_read_multiple_files').flatMap(papersIn);
    if (papers.length === 0) return fresh('I give files better names. Shall I tidy up?', 'Say `tidy up`, and I do.');
    if (!/short/i.test(story.wish)) return tellAll(papers);
    const titles = papers.map(({ title }) => title).join(', ');
    return fresh(`In short: ${titles}.`, `You have ${papers.length} papers there: ${titles}.`);
  };
}

/** Lists, reads, asks, renames one file after the other, and reports: one step for each model call. */
function tidy({ now }: Story): ModelReply {
  const [listing] = resultsOf(now, 'files_list_directory');
  if (listing === undefined) return { ...call('files_list_directory', { path: '.' }), text: 'I look at the folder.' };
  const files = unnamedIn(listing);
  if (files.length === 0) return text('All names there are good already.');
  const [read] = resultsOf(now, 'files_read_multiple_files');
  if (read === undefined) return call('files_read_multiple_files', { paths: files });
  const [form] = resultsOf(now, 'ask_question');
  const suggestions = ['date first', 'subject first'];
  if (form === undefined) return call('ask_question', { question: 'Which form should the names have?', suggestions });
  if (!/date|subject/.test(form)) return text('Then all names stay as they are.');
  const moved = now.filter(({ name }) => name === 'files_move_file');
  const next = papersIn(read)[moved.length];
  if (next !== undefined) return call('files_move_file', { source: next.file, destination: nameOf(next, form) });
  return text(`They have new names now, ${form}.`);
}

function afterUndo({ undone }: Story): ModelReply {
  const files = undone.map((note) => /"source":"([^"]*)"/.exec(note)?.[1] ?? 'a file');
  return text(`I see that you took it back: ${files.join(' and ')} has its old name again. I leave it alone.`);
}

/** Long and slow, so that there is time to interrupt it. */
function tellAll(papers: readonly Paper[]): ModelReply {
  const told = papers.map(({ title, date, text }) => `There is one about ${title}, of ${date}. It says: ${text}`);
  return text(told.join(' '), { chunkSize: 8, chunkDelay: 150 });
}

function resultsOf(done: readonly Done[], tool: string): string[] {
  return done.filter(({ name }) => name === tool).map(({ result }) => result);
}
