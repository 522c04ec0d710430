import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../agent/values/json';
import { isMain } from '../runtime/process/is-main';
import type { ChatRequest } from '../test/kit/model-reply';
import { type Answer, serveModel } from '../test/kit/model-server';
import { call, calls, text } from '../test/kit/scripted-model';
import { clock } from './clock';
import { CHUNK_CHARS, filler, lastText, TOOL, timed, type WorkInput } from './work';

/** The messages of the model's process: its address, and the events of held answers. */
export type ModelMessage =
  | { type: 'ready'; url: string }
  | { type: 'arrived' | 'closed'; hold: string /** See {@link clock}. */; at: number };

// Set here, since the server would walk the whole transcript to estimate it.
const usage = { prompt: 1, completion: 1 };

/**
 * The answer depends only on the transcript, so one server serves every run without state. Of a long run, only the input
 * and the newest messages are in the request: the last result says which turn it is of.
 */
function answerOf({ messages }: ChatRequest): { input: WorkInput; turn: number } {
  const input = JSON.parse(String(messages.find(({ role }) => role === 'user')?.content)) as WorkInput;
  const last = /began with turn (\d+) /.exec(String(messages.at(-1)?.content))?.[1];
  const turn = last === undefined ? messages.filter(({ role }) => role === 'assistant').length : Number(last);
  return { input, turn: turn + 1 };
}

/** A text whose chunks say when they are sent, as a chat completion. */
async function* timedChunks(chunks: number, every: number): AsyncGenerator<JsonObject | string> {
  const said = (delta: JsonObject, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  for (let i = 0; i < chunks; i++) {
    yield said({ content: timed(clock()) });
    await sleep(every);
  }
  yield said({}, 'stop');
  yield { choices: [], usage: { prompt_tokens: 1, completion_tokens: chunks } };
  yield 'data: [DONE]\n\n';
}

function tell(message: ModelMessage): void {
  process.send?.(message);
}

async function main(): Promise<void> {
  const answer: Answer = (request, { number }) => {
    const { input, turn } = answerOf(request);
    const { hold } = input;
    if (hold !== undefined) {
      const arrived = server.requests[number - 1];
      void arrived?.socketClosed.then(() => tell({ type: 'closed', hold, at: clock() }));
      tell({ type: 'arrived', hold, at: clock() });
      return { raw: [{ choices: [{ index: 0, delta: { content: 'begun' }, finish_reason: null }] }], hold: true };
    }
    if (input.chunks !== undefined) return { raw: timedChunks(input.chunks, input.every ?? 0) };
    if (input.services !== undefined && turn === 1) {
      return calls(
        ...Array.from({ length: input.services }, (_, i): [string, { text: string }] => [
          TOOL.name,
          { text: `piece ${i}` },
        ]),
      );
    }
    return turn <= input.turns
      ? call(TOOL.name, { text: filler(`turn ${turn} `) }, { chunkSize: chunkChars, usage })
      : text(lastText(input.turns), { usage });
  };
  const chunkChars = Number(process.env.BENCH_CHUNK_CHARS ?? CHUNK_CHARS);
  const server = await serveModel(answer);
  tell({ type: 'ready', url: server.url });
  for (const event of ['SIGTERM', 'disconnect'] as const) {
    process.once(event, () => void server.close().then(() => process.exit(0)));
  }
}

if (isMain(module)) void main();
