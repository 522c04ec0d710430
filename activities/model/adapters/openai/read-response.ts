import type { AnswerEvents, ModelCall, ModelPart } from '../../../../agent/model/adapter';
import type { ServerModel } from '../../../../agent/model/config';
import { excessOf, MAX_VALUES, MAX_WRAPPED_DEPTH } from '../../../json-extent';
import { AnswerFault } from '../../failures/answer-fault';
import { ModelServerError } from '../../failures/server-error';
import { ANSWER_BYTES, wholeText } from './body';
import { sentError, serverErrorOf } from './server-error-of';
import { StrayJson, StrayLines } from './stray-lines';
import { DONE, inOne, streamEvents } from './stream-events';

/** How an API reads what its server sends. */
export interface Reading {
  /** The parts of one event of a stream. */
  event(event: unknown): readonly ModelPart[];
  /** The parts of the answer of a server that does not stream; `undefined` if it is none. */
  whole(json: unknown): readonly ModelPart[] | undefined;
  /** What an answer is called in errors: `a chat completion`. */
  answer: string;
  /** Values of JSON of the request that the server repeats. Default 0. */
  repeated?: number;
}

/**
 * Sends a request and reads its answer, streamed or whole.
 * @throws ModelServerError, AnswerFault, or what the connection throws
 */
export async function* readResponse(
  config: ServerModel,
  { signal, connected, alive }: ModelCall,
  send: () => Promise<Response>,
  reading: Reading,
): AsyncGenerator<AnswerEvents> {
  const response = await send().catch((error: unknown) => {
    throw serverErrorOf(error);
  });
  connected();
  const { headers } = response;
  const values = MAX_VALUES + (reading.repeated ?? 0);
  const limits = { max: config.maxAnswerBytes ?? ANSWER_BYTES, values, onBytes: alive };
  const type = headers.get('content-type') ?? '';
  if (type.includes('html')) throw new AnswerFault('foreign', `it answers with ${type}`);
  let body = response;
  if (/[/+]json\b/.test(type)) {
    const text = await wholeText(response, limits);
    if (!isStream(text)) {
      yield* inOne(wholeParts(text, values, headers, reading));
      return;
    }
    body = new Response(text);
  }
  const read = new StreamReader(headers, reading, new StrayLines(values));
  for await (const events of streamEvents(body, limits, read.stray)) yield* inOne(read.partsOf(events));
  if (!signal.aborted) read.checkEnd(type);
}

/** Characters of an answer in no known form that are shown. */
const EXCERPT = 200;

const excerptOf = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, EXCERPT);

/** Whether a text is a stream, whatever it is called. */
const isStream = (text: string) => /^\s*(data|event|id|retry)?:/.test(text) || /\}\s*\ndata: ?\[DONE\]\s*$/.test(text);

/** Reads the events of one stream, and what comes between them. */
class StreamReader {
  #isEmpty = true;
  /** The answer has ended: what else the server says changes nothing. */
  #isOver = false;

  constructor(
    private readonly headers: Headers,
    private readonly reading: Reading,
    readonly stray: StrayLines,
  ) {}

  /** The parts of events that arrived together. */
  *partsOf(events: readonly unknown[]): Generator<readonly ModelPart[]> {
    for (const event of events) {
      if (event === DONE) this.#isOver = true;
      else if (event instanceof StrayJson) yield* this.#ofStray(event);
      else {
        this.#isEmpty = false;
        yield* this.#of(event, this.reading.event(event));
      }
    }
  }

  /**
   * @throws AnswerFault, ModelServerError with what the server said in place of an answer
   */
  checkEnd(type: string): void {
    const said = this.#isOver ? '' : excerptOf(this.stray.text);
    if (this.#isEmpty && !type.includes('event-stream')) {
      throw new AnswerFault('foreign', `it answers with ${type || 'no content type'}${said && `: ${said}`}`);
    }
    if (said !== '') throw new ModelServerError(said, { headers: this.headers });
  }

  *#of(json: unknown, parts: readonly ModelPart[]): Generator<readonly ModelPart[]> {
    // What an event reports beside its error counts: its tokens are paid for.
    if (parts.length > 0) yield parts;
    if (parts.some(({ type }) => type === 'finish')) this.#isOver = true;
    const error = sentError(json, this.headers);
    if (error !== undefined) throw error;
  }

  *#ofStray({ json, text }: StrayJson): Generator<readonly ModelPart[]> {
    if (this.#isOver) return;
    const { whole, event } = this.reading;
    const parts = whole(json) ?? event(json);
    if (parts.length === 0 && sentError(json, this.headers) === undefined) {
      this.stray.keep(text);
      return;
    }
    this.#isEmpty = false;
    yield* this.#of(json, parts);
  }
}

/** The answer of a server that does not stream, or of one that fails with status 200. */
function* wholeParts(
  text: string,
  values: number,
  headers: Headers,
  { whole, answer }: Reading,
): Generator<readonly ModelPart[]> {
  const excess = excessOf(text, MAX_WRAPPED_DEPTH, values);
  if (excess !== undefined) throw new AnswerFault('unreadable', `it answers with JSON ${excess}`);
  // As a gateway sends it whose server has died: another attempt may be answered.
  if (text.trim() === '') throw new AnswerFault('unfinished', 'the answer was empty');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new AnswerFault('foreign', `it answers with broken JSON: ${excerptOf(text)}`);
  }
  const parts = whole(json);
  if (parts !== undefined) yield parts;
  const error = sentError(json, headers);
  if (error !== undefined) throw error;
  if (parts === undefined)
    throw new AnswerFault('foreign', `it answers with JSON that is not ${answer}: ${excerptOf(text)}`);
}
