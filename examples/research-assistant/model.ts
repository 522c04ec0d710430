import { type ChatRequest, calls, type ModelServer, serveModel, text } from 'holdfast/testing';
import { DOCUMENTS } from './documents';

interface Notes {
  read: number;
  site: number;
  loss: number;
}

/** Plays a model that knows only what it is sent: the reports in the window, and what the summary says of the others. */
export function startModel(): Promise<ModelServer> {
  return serveModel(({ messages, tools }) => {
    const notes = notesOf(messages);
    if (tools === undefined) {
      return text(
        `Done: read the reports 1 to ${notes.read}. Most trees so far: Site ${notes.site} lost ${notes.loss} %.`,
      );
    }
    const next = [notes.read + 1, notes.read + 2].filter((site) => site <= DOCUMENTS);
    if (next.length === 0) return text(JSON.stringify(notes));
    return calls(...next.map((site): [string, { site: number }] => ['read_report', { site }]));
  });
}

function notesOf(messages: ChatRequest['messages']): Notes {
  const said = messages
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n');
  const numbers = (pattern: RegExp) => [...said.matchAll(pattern)].map(([, number]) => Number(number));
  const notes: Notes = { read: 0, site: 0, loss: -1 };
  notes.read = Math.max(0, ...numbers(/the reports 1 to (\d+)\. Most/g), ...numbers(/Report (\d+)\b/g));
  for (const [, site, loss] of said.matchAll(/Site (\d+) lost (\d+) %/g)) {
    if (Number(loss) > notes.loss) Object.assign(notes, { site: Number(site), loss: Number(loss) });
  }
  return notes;
}
