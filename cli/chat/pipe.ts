import { createInterface } from 'node:readline';
import { HoldfastError } from '../../agent/errors/error';
import type { Fact } from '../../agent/protocol/facts/fact';
import { errorText } from '../exit';
import { isQuestion } from '../inbox/lines';
import { answerCommand, approveCommand } from '../lines/waits/wait-commands';
import { plainLines } from '../terminal/style';
import { answerFrom } from '../waits/answer-text';
import { command } from './command';
import type { Conversation } from './conversation';
import { ChatFollow } from './follow';
import { parseInput } from './input';
import { answerText, type ChatLine, chatLine } from './line';

/** Where a chat without a terminal reads and writes. */
export interface ChatPipe {
  input: NodeJS.ReadableStream;
  /** Answers. */
  out(text: string, form: 'text' | 'json'): void;
  /** Everything else. */
  err(...lines: readonly string[]): void;
  diagnose(id: string): Promise<string | undefined>;
  /** Close the conversation at the end of the input. */
  close: boolean;
}

/** A chat line by line: each is a message, a command, or the answer to the open question. Returns the exit code. */
export async function chatPipe(conversation: Conversation, pipe: ChatPipe): Promise<number> {
  return new PipedChat(conversation, pipe).work();
}

class PipedChat {
  readonly #follow: ChatFollow;
  readonly #left = new AbortController();
  readonly #hints = new Set<string>();
  #failed = false;
  /** The input has ended. */
  #read = false;
  /** The last exchange that was requested, and the last that has ended. */
  #asked = 0;
  #ended = 0;
  #over = false;
  #failure: { error: unknown } | undefined;
  #following: Promise<void> | undefined;
  #wake: () => void = () => undefined;

  constructor(
    private readonly conversation: Conversation,
    private readonly pipe: ChatPipe,
  ) {
    const changed = (fact?: Fact) => {
      if (fact?.type === 'exchange.end') this.#answer(fact);
      this.#hint();
      this.#wake();
    };
    this.#follow = new ChatFollow(conversation, { show: (lines) => this.#show(lines), changed }, pipe.diagnose);
  }

  async work(): Promise<number> {
    const { conversation, pipe } = this;
    const unwatch = this.#follow.watch((problem) => pipe.err(...plainLines(chatLine('warning', problem))));
    try {
      pipe.err(`chat  ${conversation.id}`);
      const { found } = conversation;
      if (found !== undefined) {
        this.#ended = this.#asked = found.exchange - (found.idle ? 0 : 1);
        if (!found.idle) this.#show(this.#follow.lines.takeUp(found, Date.now()));
        this.#begin(found.facts);
      }
      if (await this.#follow.sent(() => conversation.begin())) this.#await(1);
      await this.#readAll();
      await this.#until(() => this.#ended >= this.#asked);
      // The run ended before it answered. Its result says why.
      if (this.#ended < this.#asked) await conversation.run?.result();
      if (pipe.close && !this.#over) await conversation.run?.close(conversation.who);
      else if (conversation.run !== undefined && !this.#over) pipe.err(`left  ${conversation.command}`);
      return this.#failed ? 1 : 0;
    } finally {
      unwatch();
      this.#left.abort();
      await this.#following;
    }
  }

  /** Answers go to standard output once their exchange has ended. */
  #show(lines: ChatLine[]): void {
    for (const line of lines) if (line.tone !== 'text') this.pipe.err(...plainLines(line));
  }

  async #readAll(): Promise<void> {
    for await (const line of createInterface({ input: this.pipe.input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (await this.#line(line)) return;
      await this.#until(() => this.#ended >= this.#asked || this.#follow.waits.all.length > 0);
      if (this.#over) return;
    }
    this.#read = true;
    this.#hint();
  }

  /** Prints the commands that end the open waits once the input has ended and can no longer do so. */
  #hint(): void {
    if (!this.#read) return;
    for (const waiting of this.#follow.waits.all) {
      const hint = isQuestion(waiting) ? answerCommand(waiting) : approveCommand(waiting);
      if (!this.#hints.has(hint)) this.pipe.err(`wait  ${hint}`);
      this.#hints.add(hint);
    }
  }

  /** Handles a line. True if it is the last one. A refusal is printed, and the next line is read. */
  async #line(line: string): Promise<boolean> {
    const input = parseInput(line);
    const { conversation, pipe } = this;
    const { lines, waits } = this.#follow;
    try {
      if (input.type === 'problem') throw new Refused(input.text);
      if (input.type === 'command') {
        const scope = { conversation, lines, waits };
        const done = await this.#follow.sent(() => command(input.name, input.rest, scope));
        for (const said of done.lines) pipe.err(...plainLines(said));
        if (done.taken !== undefined) this.#await(done.taken.exchange);
        this.#follow.showFresh();
        await this.#settled(input.name);
        return done.leave === true;
      }
      if (input.type === 'message') {
        const question = waits.question();
        if (question !== undefined && conversation.run !== undefined) {
          await conversation.run.answer(question, answerFrom(input.text, question.schema), conversation.who);
          await this.#settled('answer');
        } else this.#await((await this.#follow.sent(() => conversation.send(input.text))).exchange);
      }
    } catch (error) {
      if (conversation.run === undefined && !(error instanceof Refused)) throw error;
      const problem = error instanceof Refused ? error.message : errorText(error);
      pipe.err(...plainLines(chatLine('error', problem)));
      // The question is still open, and the next line answers it.
      if (!isInvalidReply(error)) this.#failed = true;
    }
    return false;
  }

  /** Looks again after an answer or a decision, so that the next line is not taken for the same wait. */
  async #settled(name: string): Promise<void> {
    if (!DECIDES.has(name)) return;
    await this.#follow.waits.look();
  }

  #await(exchange: number): void {
    this.#asked = Math.max(this.#asked, exchange);
    this.#begin(0);
  }

  #begin(after: number): void {
    const { run } = this.conversation;
    if (run === undefined || this.#following !== undefined) return;
    this.#following = this.#follow
      .follow(run, after, this.#left.signal)
      .catch((error: unknown) => {
        if (!this.#left.signal.aborted) this.#failure = { error };
      })
      .finally(() => {
        this.#over = true;
        this.#wake();
      });
  }

  #answer({ exchange, data, reason }: Extract<Fact, { type: 'exchange.end' }>): void {
    this.#ended = Math.max(this.#ended, exchange);
    if (data !== undefined) this.pipe.out(answerText(data), typeof data === 'string' ? 'text' : 'json');
    if (reason === 'failed') this.#failed = true;
  }

  async #until(done: () => boolean): Promise<void> {
    while (!done() && !this.#over) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

class Refused extends Error {}

function isInvalidReply(error: unknown): boolean {
  return error instanceof HoldfastError && error.type === 'InvalidReply';
}

const DECIDES: ReadonlySet<string> = new Set(['answer', 'decline', 'approve', 'deny']);
