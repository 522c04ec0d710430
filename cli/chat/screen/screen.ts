import type { Fact } from '../../../agent/protocol/facts/fact';
import { errorText } from '../../exit';
import { deeds } from '../../inbox/inbox';
import { isQuestion, type Waiting } from '../../inbox/lines';
import { handle } from '../../inbox/screen';
import { ChatStyle } from '../../terminal/style';
import { deciderOf } from '../../waits/decide';
import { ChatAsk } from '../ask';
import { command, lastMessages } from '../command';
import type { Conversation } from '../conversation';
import { ChatFollow } from '../follow';
import { parseInput } from '../input';
import { type ChatLine, chatLine, type Tone } from '../line';
import { LiveRows } from './live-rows';
import { ChatTerminal } from './terminal';

/** What a chat on a terminal needs. */
export interface ChatScreenOptions {
  diagnose(id: string): Promise<string | undefined>;
  /** Close the conversation when the person leaves. */
  close: boolean;
}

/** Number of earlier messages that are shown when a conversation is resumed. */
const BEFORE = 12;
/** Milliseconds between two drawings of the work in progress. */
const FRAME = 100;
/** Milliseconds without a key before a person is asked, so that text in progress is not taken for a decision. */
const QUIET = 700;

/** A chat on a terminal. Returns the exit code. */
export function chatScreen(conversation: Conversation, options: ChatScreenOptions): Promise<number> {
  return new ScreenChat(conversation, options).work();
}

class ScreenChat {
  readonly #follow: ChatFollow;
  readonly #terminal: ChatTerminal;
  readonly #rows: LiveRows;
  readonly #style = new ChatStyle(process.env.NO_COLOR === undefined || process.env.NO_COLOR === '');
  readonly #left = new AbortController();
  #following: Promise<void> | undefined;
  #asking: { waiting: Waiting; ask: ChatAsk; prompt: AbortController } | undefined;
  #stopping = false;
  #leave: (code: number) => void = () => undefined;
  readonly #done = new Promise<number>((resolve) => {
    this.#leave = resolve;
  });

  constructor(
    private readonly conversation: Conversation,
    private readonly options: ChatScreenOptions,
  ) {
    this.#follow = new ChatFollow(
      conversation,
      { show: (lines) => this.#show(lines), changed: (fact) => this.#changed(fact) },
      options.diagnose,
    );
    this.#terminal = new ChatTerminal({
      line: (text, pressed) => void this.#line(text, pressed),
      interrupt: () => this.#interrupt(),
      end: () => this.#leave(0),
    });
    this.#rows = new LiveRows(this.#follow, this.#terminal, this.#style, () => this.#asking?.ask.rows ?? []);
  }

  async work(): Promise<number> {
    const { conversation } = this;
    const leave = () => this.#leave(0);
    process.on('SIGINT', leave).on('SIGTERM', leave);
    // The terminal is gone, so nothing can be shown.
    process.stdin.on('error', () => process.exit(0));
    const unwatch = this.#follow.watch((problem) => this.#show([chatLine('warning', problem)]));
    const frames = setInterval(() => this.#tick(), FRAME);
    try {
      await this.#begin();
      const code = await this.#done;
      if (this.options.close) await conversation.run?.close(conversation.who);
      return code;
    } finally {
      unwatch();
      clearInterval(frames);
      this.#left.abort();
      this.#asking?.prompt.abort();
      this.#terminal.close();
      this.#terminal.last([this.#style.status('', this.#terminal.columns), this.#style.end(this.#farewell())]);
      process.off('SIGINT', leave).off('SIGTERM', leave);
      await this.#following;
    }
  }

  async #begin(): Promise<void> {
    const { conversation } = this;
    const { found, run, agent, id } = conversation;
    const title = found?.title === undefined ? '' : ` · ${found.title}`;
    this.#terminal.print([this.#style.begin(`${agent} · ${id}${title} · /help`)]);
    if (run !== undefined && found !== undefined) {
      this.#show(await lastMessages(run, BEFORE));
      this.#terminal.open();
      if (!found.idle) this.#show(this.#follow.lines.takeUp(found, Date.now()));
      this.#read(found.facts);
    } else {
      this.#terminal.open();
      if (await this.#follow.sent(() => conversation.begin())) this.#read(0);
    }
  }

  #read(after: number): void {
    const { run } = this.conversation;
    if (run === undefined || this.#following !== undefined) return;
    this.#following = this.#follow.follow(run, after, this.#left.signal).then(
      () => this.#leave(0),
      (error) => {
        if (this.#left.signal.aborted) return;
        this.#show([chatLine('error', errorText(error))]);
        this.#leave(1);
      },
    );
  }

  async #line(text: string, pressed: string | undefined): Promise<void> {
    if (this.#asking?.ask.takes(text, pressed)) return;
    const input = parseInput(text);
    const { lines, waits } = this.#follow;
    const { conversation } = this;
    if (input.type === 'nothing') return;
    this.#show([chatLine('you', text.trim())]);
    try {
      if (input.type === 'problem') this.#show([chatLine('error', input.text)]);
      else {
        // A message that is typed during an answer is read at the next turn.
        const busy = lines.busy !== undefined;
        const [name, rest] =
          input.type === 'command' ? [input.name, input.rest] : [busy ? 'queue' : 'next', input.text];
        const done = await this.#follow.sent(() => command(name as never, rest, { conversation, lines, waits }));
        this.#show(done.lines);
        this.#read(0);
        if (name === 'waiting') this.#follow.showFresh();
        if (done.leave) this.#leave(0);
        if (input.type === 'message') this.#stillWaits();
      }
    } catch (error) {
      this.#show([chatLine('error', errorText(error))]);
    }
  }

  /** A person who sends a message while a decision is requested may believe that it was the decision. */
  #stillWaits(): void {
    const { waiting, ask } = this.#asking ?? {};
    if (waiting === undefined || ask?.rows.length === 0 || !this.#follow.waits.has(waiting)) return;
    const name = isQuestion(waiting) ? `The question ${waiting.questionId}` : `The call ${waiting.toolUseId}`;
    this.#show([chatLine('note', `That was a message and decides nothing. ${name} still waits for you.`)]);
  }

  /** Ctrl-C first postpones an open question, then stops the answer, then leaves. It skips steps that do not apply. */
  #interrupt(): void {
    if (this.#asking?.ask.leave()) return;
    const { run, who } = this.conversation;
    if (this.#stopping || run === undefined || this.#follow.lines.busy === undefined) {
      this.#leave(0);
      return;
    }
    this.#stopping = true;
    this.#show([chatLine('note', 'Stopping. Press Ctrl-C again to leave.')]);
    run.interrupt(who).catch((error) => {
      if (error?.type !== 'NothingToInterrupt') this.#show([chatLine('error', errorText(error))]);
    });
  }

  #changed(fact: Fact | undefined): void {
    if (fact?.type === 'exchange.end' || fact?.type === 'exchange.start') this.#stopping = false;
    const { waiting, prompt } = this.#asking ?? {};
    if (waiting !== undefined && !this.#follow.waits.has(waiting)) prompt?.abort();
  }

  #show(lines: readonly ChatLine[]): void {
    this.#rows.show(lines);
  }

  #tick(): void {
    this.#rows.tick();
    const next = this.#follow.waits.next();
    if (next !== undefined && this.#asking === undefined && this.#terminal.isQuiet(QUIET)) void this.#ask(next);
  }

  /** Lets a person decide or answer. The call or question is on the screen already. */
  async #ask(waiting: Waiting): Promise<void> {
    const prompt = new AbortController();
    const ask = this.#chatAsk(prompt.signal);
    this.#asking = { waiting, ask, prompt };
    const outcome = await this.#handled(waiting, ask);
    if (this.#left.signal.aborted) return;
    await this.#follow.waits.look().catch(() => undefined);
    // Ask again after an answer that does not fit, but not if the person may not decide.
    const again = outcome === 'refused' && isQuestion(waiting);
    if (!again && this.#follow.waits.has(waiting)) {
      this.#follow.waits.postpone(waiting);
      this.#show([chatLine('note', 'It still waits; /waiting asks again.')]);
    }
    this.#asking = undefined;
    this.#rows.draw();
  }

  async #handled(waiting: Waiting, ask: ChatAsk): ReturnType<typeof handle> {
    const { client, who } = this.conversation;
    try {
      const decider = deciderOf(who);
      const screen = { prompts: ask, decider, ...deeds(client, decider, ask), edit: ask.edit.bind(ask) };
      return await handle(screen, waiting);
    } catch (error) {
      this.#show([chatLine('error', errorText(error))]);
      return 'later';
    }
  }

  #chatAsk(signal: AbortSignal): ChatAsk {
    const terminal = this.#terminal;
    const say = (tone: Tone) => (text: string) => this.#show([chatLine(tone, text)]);
    return new ChatAsk(
      {
        draw: () => this.#rows.draw(),
        menu: (open) => (open ? terminal.keys.begin() : terminal.keys.end()),
        show: say('asks'),
        problem: say('error'),
        note: say('note'),
        alone: async (work) => {
          terminal.close();
          try {
            return await work();
          } finally {
            if (!this.#left.signal.aborted) terminal.open();
          }
        },
      },
      signal,
    );
  }

  /** The last line. */
  #farewell(): string {
    const { said, command: back } = this.conversation;
    if (!said) return 'No message was sent.';
    if (this.options.close) return 'The conversation is closed.';
    return this.#follow.ended ? 'The conversation has ended.' : `It waits for you: ${back}`;
  }
}
