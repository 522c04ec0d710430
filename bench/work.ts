import { z } from 'zod';

/** Characters of the arguments of a turn's call, and of the result of its tool: 1 KB each. */
export const TURN_CHARS = 1024;

/** Characters of one chunk of the stream: about sixteen tokens, so that a call's arguments come in sixteen pieces. */
export const CHUNK_CHARS = 64;

/** The provider's name for the model. */
export const MODEL = 'bench';

/** Alias of the same model with a context window of 8,000 tokens. */
export const WINDOWED = 'windowed';

/** The models of all agents of the benchmarks, by alias. */
export const models = (baseUrl: string) => ({
  default: { baseUrl, model: MODEL },
  [WINDOWED]: { baseUrl, model: MODEL, contextWindow: 8000 },
});

export const INSTRUCTIONS = 'Work on the text, piece by piece, with your tool. Say when all is done.';

/** The one tool of the work, for our agent and for the bare loop. */
export const TOOL = {
  name: 'work',
  description: 'Works on a piece of text and returns another one of the same length.',
  input: z.object({ text: z.string() }),
} as const;

/** The input of a run, which the model gets as the first message, as JSON. */
export const workInput = z.object({
  /** Turns with a tool call; one more call answers with a text. */
  turns: z.number(),
  /** The first answer calls this number of services at once. */
  services: z.number().optional(),
  /** The answer starts and then neither continues nor ends. The model server reports it under this name. */
  hold: z.string().optional(),
  /** The only answer is a text in this number of chunks, each of which says when it is sent. */
  chunks: z.number().optional(),
  /** Milliseconds between them. */
  every: z.number().optional(),
});
export type WorkInput = z.infer<typeof workInput>;

/** The tool's work, for ours and bare: it only returns the bytes. */
export function work(text: string): string {
  return filler(`result of ${text.length} characters, which began with ${text.slice(0, 20)}: `);
}

/** The last answer of a run. Every run of a figure is checked for it. */
export function lastText(turns: number): string {
  return `done after ${turns}`;
}

/** A text of 1 KB that begins with `head`, so that it is different in each turn. */
export function filler(head: string): string {
  return head.padEnd(TURN_CHARS, 'lorem ipsum dolor sit amet ').slice(0, TURN_CHARS);
}

/** A piece of text that says when it was sent, see `clock`. */
export function timed(at: number): string {
  return `@${at.toFixed(3)} `;
}

/** When the pieces of a text were sent. */
export function timesIn(text: string): number[] {
  return [...text.matchAll(/@([\d.]+) /g)].map(([, at]) => Number(at));
}
