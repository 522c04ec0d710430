import type { MessageReceipt } from '../../agent/conversation/messages';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { Pending } from '../../agent/protocol/queries';
import type { StreamDelta } from '../../agent/protocol/stream';
import type { Json } from '../../agent/values/json';
import type { ExchangeResult } from './answer-to';

/** What came of a message: its answer, or what has to be decided or answered before there can be one. */
export type Turn<Output = unknown> = { exchange: number } & (
  | { type: 'answer'; text: string; data: Output }
  | ({ type: 'waiting' } & Pick<Pending, 'approvals' | 'questions'>)
  /** There will be no answer. */
  | { type: 'interrupted' | 'cancelled' }
);

/** The exchange that a message opens, or joins. */
export type ExchangeRef = Pick<MessageReceipt, 'exchange'> & Partial<MessageReceipt>;

/** How the rest of an exchange is read. */
export interface ExchangeReader<Output> {
  outcome(taken: MessageReceipt): Promise<Turn<Output>>;
  events(taken: MessageReceipt): AsyncIterable<Fact | StreamDelta>;
}

/** A message on its way. Await it for what comes of it, or iterate {@link Ask.events} to watch. */
export class Ask<Output = unknown> implements Promise<Turn<Output>> {
  /** As for any promise. */
  readonly [Symbol.toStringTag] = 'Ask';
  #turn: Promise<Turn<Output>> | undefined;

  constructor(
    /** Resolves when the conversation has accepted the message. */
    readonly sent: Promise<MessageReceipt>,
    private readonly read: ExchangeReader<Output>,
  ) {
    // A caller that reads only the events learns of a refusal there.
    sent.catch(() => undefined);
  }

  /** The facts of the exchange up to its end, and, where the client has a bus, the deltas. */
  get events(): AsyncIterable<Fact | StreamDelta> {
    const { sent, read } = this;
    return {
      async *[Symbol.asyncIterator]() {
        yield* read.events(await sent);
      },
    };
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then: Promise<Turn<Output>>['then'] = (...handlers) => this.#outcome().then(...handlers);
  catch: Promise<Turn<Output>>['catch'] = (...handlers) => this.#outcome().catch(...handlers);
  finally: Promise<Turn<Output>>['finally'] = (...handlers) => this.#outcome().finally(...handlers);

  #outcome(): Promise<Turn<Output>> {
    this.#turn ??= this.sent.then((taken) => this.read.outcome(taken));
    return this.#turn;
  }
}

/** An exchange that has ended, as a turn. */
export function turnOf<Output>({ exchange, reason, data }: ExchangeResult<Output>): Turn<Output> {
  if (reason === 'interrupted' || reason === 'cancelled') return { type: reason, exchange };
  const text = typeof data === 'string' ? data : JSON.stringify(data as Json);
  // An answer has data.
  return { type: 'answer', exchange, text, data: data as Output };
}
