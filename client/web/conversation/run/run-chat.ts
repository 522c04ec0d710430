import { Chat } from '@ai-sdk/react';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import { ApiError, isPassing, messageOf } from '../../api/api-error';
import { backOff, pause } from '../../api/back-off';
import { randomId } from '../../api/random-id';
import { request } from '../../api/request';
import { runPath, uiMessages, type When } from '../../api/runs';
import { createStore, type Store } from '../../api/store';
import type { ChatMessage } from '../message/chat-message';
import { changesTheChat } from './changing-facts';
import type { ChatView } from './chat-view';
import { compactionText } from './compaction-text';
import { type Kept, kept } from './kept';
import { Steers } from './steers';
import { transportTo } from './transport';

/** A message that the server has not confirmed. It is sent again under its id, which the run takes once. */
interface Unsent {
  id: string;
  text: string;
}

/** The run names the conversation: the id of the chat has no meaning. */
const CHAT = 'page';

/** Milliseconds until a stream that is read again is shown although it is shorter than before: text was withdrawn. */
const CATCH_UP = 1_500;

/**
 * One conversation with a run. The AI SDK's chat reads and sends; this class reconnects: after a loss, and after a
 * decision made elsewhere, it reads the messages again and then the stream of the exchange from its start, in place of
 * the partial message, so that no text is shown twice.
 */
export class RunChat {
  readonly chat: Chat<ChatMessage>;
  readonly view: Store<ChatView>;
  readonly #ended = new AbortController();
  /** Number of the last fact that the messages contain. */
  #seen = 0;
  /** Number of the last fact that changed the conversation. */
  #changed = 0;
  /** It starts an exchange. */
  #unsent: Unsent | undefined;
  readonly #keptUnsent: Kept<Unsent>;
  readonly #steers: Steers;
  #syncing = false;
  #again = false;
  #tries = 0;
  /** Changes with each request that reads: what an earlier one finds no longer matters. */
  #reading = {};
  readonly #finished = new WeakSet<object>();

  constructor(readonly id: string) {
    this.#steers = new Steers(id, (steers) => this.#update({ steers }));
    this.#keptUnsent = kept<Unsent>(`unsent ${id}`);
    this.#unsent = this.#keptUnsent.get();
    this.view = createStore<ChatView>({ loading: true, running: false, steers: this.#steers.all });
    this.chat = new Chat<ChatMessage>({
      id: CHAT,
      transport: transportTo(id, () => this.#keptUnsent.set(undefined)),
      onFinish: ({ message, isAbort, isError, finishReason }) => {
        this.#seen = Math.max(this.#seen, message.metadata?.facts ?? 0);
        if (isAbort) return;
        this.#finished.add(this.#reading);
        if (isError) {
          this.#failed(this.chat.error);
          return;
        }
        this.#sent();
        this.#tries = 0;
        const { approvals = 0, questions = 0, calls = 0 } = message.metadata?.waiting ?? {};
        // A stream without an end was cut by a server that stops.
        const cut = finishReason === undefined && message.metadata?.reason === undefined;
        const running = cut || approvals + questions + calls > 0;
        this.#update({ running });
        if (!running) this.#steers.dropSent();
        // The stream of a run that had just started began before its input was among the messages.
        const unasked = !running && this.chat.messages.at(-2)?.role !== 'user';
        if (cut || unasked || this.#changed > this.#seen) void this.sync();
      },
    });
  }

  /** Ends reading. The run goes on. */
  close(): void {
    this.#ended.abort();
    void this.chat.stop();
  }

  get closed(): boolean {
    return this.#ended.signal.aborted;
  }

  get busy(): boolean {
    return this.chat.status === 'submitted' || this.chat.status === 'streaming';
  }

  /** A message that starts an exchange. */
  send(text: string): void {
    this.#unsent = { id: `web-${randomId()}`, text };
    this.#keptUnsent.set(this.#unsent);
    this.#update({ running: true, refused: undefined, failure: undefined });
    void this.#post(this.#unsent);
  }

  /** A message into the exchange in progress. */
  async steer(text: string, when: When): Promise<void> {
    try {
      await this.#steers.send(text, when);
    } catch (error) {
      if (!isPassing(error)) throw error;
      this.#lost(error);
    }
  }

  /** Tells it about a fact that it has not caused itself, such as a decision made on another screen. */
  notice(fact: Fact): void {
    if (fact.type === 'exchange.end' && fact.reason === 'failed') this.#update({ failure: fact.error });
    if (fact.type === 'exchange.start') this.#update({ failure: undefined });
    const compaction = compactionText(fact);
    if (compaction !== undefined) this.#update({ compaction });
    // The exchange had just ended: the message has begun one of its own, and is among the messages.
    if (fact.type === 'message.received' && fact.steers === undefined && fact.id !== undefined)
      this.#steers.drop(fact.id);
    if (!changesTheChat(fact)) return;
    this.#changed = fact.seq;
    if (fact.seq <= this.#seen) return;
    if (!this.busy) void this.sync();
    else if (fact.type === 'exchange.end') this.#expectEnd();
  }

  /**
   * The stream of an exchange ends with it. One that goes on is that of the next exchange, which had begun when it was
   * opened: the messages are from before.
   */
  #expectEnd(): void {
    const reading = this.#reading;
    setTimeout(() => {
      if (this.#reading === reading && !this.#finished.has(reading) && !this.closed) void this.sync();
    }, CATCH_UP);
  }

  /** Reads the messages, then the stream of the exchange in progress. */
  async sync(): Promise<void> {
    if (this.#syncing) {
      this.#again = true;
      return;
    }
    this.#syncing = true;
    try {
      do {
        this.#again = false;
        await this.#readMessages();
      } while (this.#again && !this.#ended.signal.aborted);
    } catch (error) {
      if (isPassing(error)) this.#lost(error);
      else this.#update({ loading: false, problem: messageOf(error) });
    } finally {
      this.#syncing = false;
    }
  }

  async #readMessages(): Promise<void> {
    const changed = this.#changed;
    if (this.#unsent !== undefined) await this.#confirm(this.#unsent);
    await this.#steers.sendAgain((text, why) => this.#update({ refused: { text, why } }));
    const { messages, running } = await uiMessages(this.id);
    this.#reading = {};
    await this.chat.stop();
    if (this.#ended.signal.aborted) return;
    const { problem: _, held: __, ...view } = this.view.get();
    const held = running && this.chat.messages.length > 0 ? this.chat.messages : undefined;
    this.view.set({ ...view, held, loading: false, running });
    if (!running) this.#steers.dropSent();
    this.#seen = Math.max(this.#seen, changed);
    this.chat.messages = messages;
    if (running) void this.#resume(held);
  }

  /** Makes sure that a message arrived. Its answer is read in the stream of its exchange. */
  async #confirm({ id, text }: Unsent): Promise<void> {
    const message = { id, role: 'user', parts: [{ type: 'text', text }] };
    try {
      const response = await request(`${runPath(this.id)}/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id: CHAT, messages: [message], trigger: 'submit-message' }),
      });
      await response.body?.cancel();
    } catch (error) {
      if (!(error instanceof ApiError) || isPassing(error)) throw error;
      this.#update({ refused: { text, why: error.message } });
    }
    this.#sent();
  }

  async #resume(held: ChatMessage[] | undefined): Promise<void> {
    const release = () => {
      if (this.view.get().held === held) this.#update({ held: undefined });
    };
    const timer = setTimeout(release, CATCH_UP);
    const reading = this.#reading;
    await this.chat.resumeStream();
    clearTimeout(timer);
    release();
    // The exchange had ended in between, and there was no stream: its answer is among the messages by now.
    if (this.#reading === reading && !this.#finished.has(reading)) void this.#readAgain();
  }

  #failed(error: Error | undefined): void {
    // The AI SDK passes on what `fetch` throws when a stream is cut.
    if (isPassing(error) || error instanceof TypeError) {
      this.#lost(error);
      return;
    }
    const unsent = this.#unsent;
    this.#sent();
    if (error instanceof ApiError && unsent !== undefined) {
      this.#update({ running: false, refused: { text: unsent.text, why: error.message } });
      this.chat.messages = this.chat.messages.filter(({ id }) => id !== unsent.id);
    } else this.#update({ running: false, failure: this.view.get().failure ?? { message: messageOf(error) } });
  }

  /** Nothing is known of what was sent: it is confirmed when the server answers again. A banner says that it is away. */
  #lost(error: unknown): void {
    if (error instanceof ApiError) this.#update({ loading: false, problem: error.message });
    void this.#readAgain();
  }

  async #readAgain(): Promise<void> {
    await pause(backOff(++this.#tries, Math.random()), this.#ended.signal);
    if (!this.#ended.signal.aborted) await this.sync();
  }

  async #post({ id, text }: Unsent): Promise<void> {
    this.#reading = {};
    await this.chat.stop();
    await this.chat.sendMessage({ id, role: 'user', parts: [{ type: 'text', text }] });
  }

  #sent(): void {
    this.#unsent = undefined;
    this.#keptUnsent.set(undefined);
  }

  #update(change: Partial<ChatView>): void {
    this.view.set({ ...this.view.get(), ...change });
  }
}
