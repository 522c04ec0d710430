import type { MessageReceipt, SentMessage } from '../../agent/conversation/messages';
import type { ContentPart } from '../../agent/model/message';
import { COMMAND } from '../../agent/protocol/commands/command';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import { defined } from '../../agent/values/defined';
import { linkedAbort } from '../../runtime/abort/linked-abort';
import { waitingUntil } from '../waits/waiting';
import { answerOf, type ExchangeResult } from './answer-to';
import { Ask, type ExchangeRef, type Turn, turnOf } from './ask';
import { type HandleOptions, type MessageOptions, sentMessage } from './command-handle';
import { RunHandle } from './run-handle';

/** One conversation: what every run has, and the exchanges of messages and answers. */
export class ConversationHandle<Output = unknown> extends RunHandle<Output> {
  constructor(
    client: ConstructorParameters<typeof RunHandle>[0],
    id: string,
    options?: HandleOptions,
    /** Missing: the conversation must exist. */
    private readonly startAndSend?: (said: SentMessage) => Promise<MessageReceipt>,
  ) {
    super(client, id, options);
  }

  /**
   * Sends a message. A handle of `client.conversation` starts the conversation if there is none with this id. It does
   * not wait for the answer.
   * @throws HoldfastError `InvalidMessage`, `MessageTooLarge`, `InvalidInput`, `RunEnded`, `RunNotFound`, `NoServer`,
   * `NoWorker`
   */
  override send(message: string | ContentPart[], options: MessageOptions = {}): Promise<MessageReceipt> {
    return this.startAndSend?.(sentMessage(message, options)) ?? super.send(message, options);
  }

  /**
   * Sends a message as {@link send} does, and waits for its answer, or until a person has to approve or answer
   * something first. Decide it, then go on with {@link outcome}.
   * @throws HoldfastError as `send`; the type that the exchange failed with; `RunEnded`; the reason of `signal`
   */
  ask(
    message: string | ContentPart[],
    { signal, ...options }: MessageOptions & { signal?: AbortSignal } = {},
  ): Ask<Output> {
    const more = defined({ signal });
    return new Ask<Output>(this.send(message, options), {
      outcome: (taken) => this.outcome(taken, more),
      events: (taken) => this.#eventsOf(taken, signal),
    });
  }

  /**
   * Waits for the answer of an exchange, or until a person has to approve or answer something first.
   * @throws HoldfastError the type that the exchange failed with; `RunEnded`, `NoWorker`; the reason of `signal`
   */
  async outcome(taken: ExchangeRef, { signal }: { signal?: AbortSignal } = {}): Promise<Turn<Output>> {
    const until = linkedAbort(signal);
    const { exchange } = taken;
    const asks = ({ approvals, questions }: { approvals: unknown[]; questions: unknown[] }) =>
      approvals.length + questions.length > 0;
    const waiting = waitingUntil(this.client, this.id, asks, {
      signal: until.signal,
      ...defined({ workerTimeout: this.workerTimeout, followsOn: this.options.followsOn }),
    });
    try {
      const answer = this.answerTo(taken, { signal: until.signal }).then((ended) => turnOf<Output>(ended));
      // Where something waits first, the reading ends with an abort.
      answer.catch(() => undefined);
      return await Promise.race([
        answer,
        // A run that ends without asking anyone has answered, or says why not.
        waiting.then(
          ({ approvals, questions }): Turn<Output> => ({ type: 'waiting', exchange, approvals, questions }),
          () => answer,
        ),
      ]);
    } finally {
      until.abort();
    }
  }

  /**
   * Waits for the answer of one exchange, which `send` returned.
   * @throws HoldfastError with the type that the exchange failed with; `RunEnded` if the run ended without it
   */
  answerTo(
    taken: Pick<MessageReceipt, 'exchange'> & Partial<MessageReceipt>,
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ExchangeResult<Output>> {
    const facts = this.facts({ after: taken.after ?? 0, ...defined({ signal }) });
    return answerOf<Output>(this.id, taken, facts, signal);
  }

  /**
   * Stops the exchange in progress. The model call is aborted, and its partial answer is kept and marked as such. Tools
   * are cancelled according to their effect, approvals and questions are withdrawn. The conversation waits for the next
   * message.
   * @throws HoldfastError `NothingToInterrupt`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  interrupt({ by }: { by?: string } = {}): Promise<{ exchange: number }> {
    return this.tell(COMMAND.interrupt, defined({ by }));
  }

  /**
   * Regenerates the last answer in a new exchange. Only the answer is dropped: the effects of tools remain.
   * @throws HoldfastError `NothingToRegenerate`, `RunEnded`, `RunNotFound`, `NoWorker`
   */
  regenerate({ by }: { by?: string } = {}): Promise<MessageReceipt> {
    return this.tell(COMMAND.regenerate, defined({ by }));
  }

  /**
   * Ends the conversation after the messages that wait, and accepts no others. `ahead` is the number of those that
   * wait.
   * @throws HoldfastError `RunEnded`, `RunNotFound`, `NoWorker`
   */
  close({ by }: { by?: string } = {}): Promise<{ ahead: number }> {
    return this.tell(COMMAND.close, defined({ by }));
  }

  async *#eventsOf(
    { exchange, after }: MessageReceipt,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Fact | StreamDelta, void, undefined> {
    for await (const event of this.events({ after, ...defined({ signal }) })) {
      yield event;
      if (event.type === 'exchange.end' && event.exchange === exchange) return;
    }
  }
}
