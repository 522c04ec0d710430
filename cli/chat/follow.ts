import type { Fact } from '../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../agent/protocol/stream';
import { isOutageText } from '../../agent/state/outage-text';
import { orHoldfastError } from '../../client/requests/client-error';
import { errorText } from '../exit';
import { ChatLines } from '../lines/chat-lines';
import type { CommandRun } from '../remote/run-client';
import { withPrintedCommands } from '../terminal/printed-command';
import { askLine, changesWaiting } from './asks';
import type { Conversation } from './conversation';
import type { ChatLine } from './line';
import { Waits } from './waits';

/** Receives what happens in a chat. */
export interface ChatListener {
  /** New lines. Empty if only the answer in progress has changed. */
  show(lines: ChatLine[]): void;
  /** Called after each fact, once it is known what waits for a person. */
  changed(fact?: Fact): void;
}

/** Milliseconds without a fact, while an answer is due, before the cause is looked for. */
const SILENCE = 2000;
/** Milliseconds between two looks at agents that work for this one: their waits cause no facts in this run. */
const LOOK_AGAIN = 1500;

/** Events that leave the reason why nothing happens as it was. */
const NO_PROGRESS: ReadonlySet<string> = new Set([
  'stream.clear',
  'message.received',
  'model.waiting',
  'model.retried',
]);

/** Reads the events of a conversation and looks for calls and questions that wait. */
export class ChatFollow {
  readonly lines: ChatLines;
  readonly waits: Waits;
  /** The time at which the message being sent was submitted. */
  sending: number | undefined;
  /** The conversation has ended. */
  ended = false;
  /** Why nothing happens, as far as it is known. */
  problem: string | undefined;
  /** The last problem that was said, without the number of the attempt. */
  #said: string | undefined;
  readonly #agents = new Set<string>();
  #heard = Date.now();

  constructor(
    private readonly conversation: Conversation,
    private readonly listener: ChatListener,
    private readonly diagnose: (id: string) => Promise<string | undefined>,
  ) {
    this.lines = new ChatLines(conversation.isMine);
    this.waits = new Waits(conversation.client, conversation.id);
  }

  /** Follows the conversation to its end. */
  async follow(run: CommandRun, after: number, signal: AbortSignal): Promise<void> {
    const look = setInterval(() => {
      if (this.#agents.size > 0) void this.#look().catch(() => undefined);
    }, LOOK_AGAIN);
    try {
      if (after > 0) {
        for (const { toolUseId, kind } of (await run.waiting()).services)
          if (kind === 'agent') this.#agents.add(toolUseId);
        await this.waits.takeUp().catch(unlessMissing);
        this.showFresh();
      }
      for await (const event of run.events({ after, signal })) await this.#heardOf(event);
    } finally {
      clearInterval(look);
    }
  }

  /** Marks a message as being sent until the run has accepted it. */
  async sent<T>(send: () => Promise<T>): Promise<T> {
    this.sending = Date.now();
    try {
      return await send();
    } finally {
      this.sending = undefined;
    }
  }

  /** Reports each problem once while an answer is due and nothing happens, however many attempts fail in the same way. */
  watch(say: (problem: string) => void): () => void {
    const timer = setInterval(async () => {
      const due = (this.lines.busy !== undefined && this.waits.all.length === 0) || this.sending !== undefined;
      if (!due || Date.now() - this.#heard < SILENCE) return;
      const { id } = this.conversation;
      const found = await this.diagnose(id).catch((error) => {
        const known = orHoldfastError(error, id);
        return isMissing(known) ? undefined : errorText(known);
      });
      // That of the run's own model comes as a fact, with what can be typed here.
      const problem = found !== undefined && isOutageText(found) ? undefined : found;
      const reason = problem?.replace(/: attempt \d+, /, ': ');
      if (problem !== undefined && reason !== this.#said) {
        say(withPrintedCommands(problem));
        this.#said = reason;
      }
      this.problem = problem;
    }, SILENCE);
    return () => clearInterval(timer);
  }

  async #heardOf(event: Fact | StreamDelta): Promise<void> {
    // Another attempt at a call says nothing new about the run.
    if (event.type !== 'stream.clear') {
      this.#heard = Date.now();
      this.problem = undefined;
    }
    if (!NO_PROGRESS.has(event.type)) this.#said = undefined;
    this.listener.show(this.lines.note(event, Date.now()));
    if ('callId' in event) return;
    if (event.type === 'loop.end') this.ended = true;
    if (event.type === 'service.called' && event.kind === 'agent') this.#agents.add(event.toolUseId);
    if (event.type === 'service.answered' || event.type === 'tool.error') this.#agents.delete(event.toolUseId);
    if (event.type === 'approval.requested') this.waits.told(event.toolUseId);
    if (event.type === 'question.asked') this.waits.told(event.questionId);
    if (changesWaiting(event)) await this.#look();
    this.listener.changed(event);
  }

  async #look(): Promise<void> {
    await this.waits.look().catch(unlessMissing);
    this.showFresh();
  }

  /** Shows what waits and is not on the screen yet. */
  showFresh(): void {
    const fresh = this.waits.fresh();
    if (fresh.length > 0) this.listener.show(fresh.map((one) => askLine(one, this.conversation.id)));
    this.listener.changed();
  }
}

/** A conversation that has just ended has no waits to show. */
function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

function isMissing(error: unknown): boolean {
  const known = error as { type?: string };
  return known.type === 'RunNotFound' || known.type === 'RunEnded';
}
