import type { JsonObject } from '../../../agent/values/json';
import type { ChatMessage, ChatRequest, ModelReply } from '../../kit/model-reply';
import { type ModelServer, type RawReply, type RecordedRequest, serveModel } from '../../kit/model-server';
import { until } from '../../until';

type QuestionAnswer = ModelReply | RawReply;
export interface Arrived {
  turn: number;
  /** How often this turn's call has arrived: 2 after a kill in its middle. */
  attempt: number;
  recorded: RecordedRequest;
}
/** The answer of one turn, the same at every attempt unless it is a function. */
export type Turn =
  | QuestionAnswer
  | ((at: { attempt: number; request: ChatRequest }) => QuestionAnswer | Promise<QuestionAnswer>);

/**
 * A model with a script for each run, found by the `run` of the first user message. Its answer depends on the turn of
 * the transcript, not on the number of requests before: a turn may be tried again.
 */
export class RunScripts {
  readonly #scripts = new Map<string, Turn[]>();
  readonly #arrived = new Map<string, Arrived[]>();

  private constructor(private readonly serve: () => ModelServer) {}

  static async start(): Promise<RunScripts> {
    const server: { it?: ModelServer } = {};
    const scripts = new RunScripts(() => server.it as ModelServer);
    server.it = await serveModel((request, { number }) => scripts.answer(request, number));
    return scripts;
  }

  get url(): string {
    return this.serve().url;
  }

  close(): Promise<void> {
    return this.serve().close();
  }

  script(run: string, ...turns: Turn[]): void {
    this.#scripts.set(run, turns);
  }

  /** The requests of a run, in the order of arrival. */
  requests(run: string): Arrived[] {
    return this.#arrived.get(run) ?? [];
  }

  async arrival(run: string, turn: number, attempt = 1): Promise<RecordedRequest> {
    const found = () => this.requests(run).find((r) => r.turn === turn && r.attempt === attempt);
    await until(() => found() !== undefined, `call ${turn} of ${run}, attempt ${attempt}`);
    return (found() as Arrived).recorded;
  }

  /** The tool messages in the call of turn `turn`: what the model was told. */
  told(run: string, turn: number): string[] {
    const request = this.requests(run).find((r) => r.turn === turn)?.recorded.body;
    const last = request?.messages.findLastIndex(({ role }) => role === 'assistant') ?? 0;
    return (request?.messages ?? []).slice(last + 1).map(textOf);
  }

  private answer(request: ChatRequest, number: number): QuestionAnswer | Promise<QuestionAnswer> {
    const { run } = JSON.parse(textOf(request.messages.find(({ role }) => role === 'user') as ChatMessage)) as {
      run: string;
    };
    const turn = request.messages.filter(({ role }) => role === 'assistant').length + 1;
    const all = this.#arrived.get(run) ?? [];
    const attempt = all.filter((r) => r.turn === turn).length + 1;
    this.#arrived.set(run, [...all, { turn, attempt, recorded: this.serve().requests[number - 1] as RecordedRequest }]);
    const step = this.#scripts.get(run)?.[turn - 1];
    if (step === undefined) throw new Error(`${run} has no turn ${turn}`);
    return typeof step === 'function' ? step({ attempt, request }) : step;
  }
}

function textOf({ content }: ChatMessage): string {
  return typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('');
}

/** An answer that sends `pieces`, calls `sent` when they have left, and then neither continues nor ends. */
export function unending(pieces: readonly string[], sent: () => void = () => undefined): RawReply {
  const chunks = pieces.map(
    (content): JsonObject => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  );
  const telling = function* () {
    yield* chunks;
    sent();
  };
  return { raw: Object.assign([...chunks], { [Symbol.iterator]: telling }), hold: true };
}
