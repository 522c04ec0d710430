import { randomUUID } from 'node:crypto';
import type { MessageReceipt } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { RunSummary } from '../../agent/protocol/run';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { AgentClient } from '../../client/agent-client';
import { orHoldfastError } from '../../client/requests/client-error';
import type { RunHandle } from '../../client/runs/run-handle';
import { shellWord } from '../terminal/shell-word';

/** What a chat is begun with. */
export interface ChatSubject {
  agent: string;
  id?: string | undefined;
  owner?: string | undefined;
  by?: string | undefined;
  /** What the conversation is started with: its first message. */
  input?: Json | undefined;
}

/** A conversation that begins with its first message, or that was begun before. */
export class Conversation {
  readonly agent: string;
  readonly id: string;
  /** Missing: nothing was said yet. */
  run: RunHandle | undefined;
  /** As it was found; missing where it begins here. */
  found: RunSummary | undefined;
  readonly who: { by?: string };
  /** Something was said, which may have arrived though nobody heard so. */
  said = false;
  readonly #mine = new Set<string>();

  constructor(
    readonly client: AgentClient,
    private readonly subject: ChatSubject,
  ) {
    const { agent, id, by } = subject;
    this.agent = agent;
    this.id = id ?? `${agent}-${randomUUID().slice(0, 8)}`;
    this.who = defined({ by });
  }

  /** Whether a message was said here. */
  readonly isMine = (messageId: string | undefined): boolean => messageId !== undefined && this.#mine.has(messageId);

  /**
   * Finds the conversation where it was begun before.
   * @throws HoldfastError `IdInUse`, `RunEnded`, `NotAConversation`, `NoWorker`, `NoServer`
   */
  async find(): Promise<void> {
    if (this.subject.id === undefined) return;
    const run = this.client.get(this.id);
    const there = await run.workflow.describe().catch((error: unknown) => {
      const known = orHoldfastError(error, this.id);
      if (known instanceof HoldfastError && known.type === 'RunNotFound') return undefined;
      throw known;
    });
    if (there === undefined) return;
    if (there.type !== this.agent) {
      throw new HoldfastError('IdInUse', { id: this.id, problem: `a run of \`${there.type}\` has it` });
    }
    if (there.status.name !== 'RUNNING') {
      const status = there.status.name.toLowerCase().replaceAll('_', ' ');
      const message = `The conversation \`${this.id}\` has ended (${status}). \`holdfast show ${shellWord(this.id)}\` prints it; begin another without \`--id\`.`;
      throw new HoldfastError('RunEnded', { id: this.id, status }, { message });
    }
    this.found = await run.state();
    if (this.found.mode !== 'conversation') throw notForTalking(this.agent, this.id);
    this.run = run;
    this.said = true;
  }

  /** Begins with the input, where there is one: it is the first message. True where it did. */
  async begin(): Promise<boolean> {
    const { input } = this.subject;
    if (this.run !== undefined || input === undefined) return false;
    this.said = true;
    const run = await this.client.start(this.agent, { ...this.#start(), input });
    // What the agent is stands in the state when its first message does.
    for await (const { type } of run.facts()) if (type !== 'loop.start') break;
    await this.#begun(run as RunHandle);
    return true;
  }

  /** Says something; the first message starts the conversation. */
  async send(text: string): Promise<MessageReceipt> {
    const id = this.newMessage();
    this.said = true;
    if (this.run !== undefined) return this.run.send(text, { id, ...this.who });
    const { run, taken } = await this.client.send(this.agent, text, { ...this.#start(), messageId: id, ...this.who });
    await this.#begun(run as RunHandle);
    return taken;
  }

  /** The id of a message that is said here. */
  newMessage(): string {
    const id = randomUUID();
    this.#mine.add(id);
    return id;
  }

  /** How to come back. */
  get command(): string {
    return `holdfast chat ${shellWord(this.agent)} --id ${shellWord(this.id)}`;
  }

  /** A client without the agent's code does not know what the agent is before it runs. */
  async #begun(run: RunHandle): Promise<void> {
    if ((await run.state()).mode !== 'conversation') {
      await run.cancel();
      throw notForTalking(this.agent, this.id);
    }
    this.run = run;
  }

  #start(): { id: string; owner?: string } {
    const { owner } = this.subject;
    return { id: this.id, ...defined({ owner }) };
  }
}

/** A task takes its input and gives its answer: nobody talks with it. */
export function notForTalking(agent: string, id: string): HoldfastError {
  const message = `The agent \`${agent}\` works on tasks and holds no conversations. Start one with \`holdfast run ${agent} '…'\`, or give the agent \`mode: 'conversation'\`.`;
  return new HoldfastError('NotAConversation', { id, what: 'be talked with' }, { message });
}
