import { randomUUID } from 'node:crypto';
import type { MessageReceipt } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { AgentClient } from '../../client/agent-client';
import { orHoldfastError } from '../../client/requests/client-error';
import type { ConversationHandle } from '../../client/runs/conversation-handle';
import { printedCommand } from '../terminal/printed-command';

/** What identifies a chat, and its first message. */
export interface ChatSubject {
  agent: string;
  id?: string | undefined;
  owner?: string | undefined;
  by?: string | undefined;
  /** The input that starts the conversation: its first message. */
  input?: Json | undefined;
}

/** A conversation that exists already, or that starts with its first message. */
export class Conversation {
  readonly agent: string;
  readonly id: string;
  /** Missing until the conversation has started. */
  run: ConversationHandle | undefined;
  /** The state in which the run was found. Missing if the conversation starts here. */
  found: RunState | undefined;
  readonly who: { by?: string };
  /** A message was sent. It may have arrived even without a confirmation. */
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

  /** Whether this client sent the message. */
  readonly isMine = (messageId: string | undefined): boolean => messageId !== undefined && this.#mine.has(messageId);

  /**
   * Finds the conversation if it exists already.
   * @throws HoldfastError `IdInUse`, `RunEnded`, `NotAConversation`, `NoWorker`, `NoServer`
   */
  async find(): Promise<void> {
    if (this.subject.id === undefined) return;
    const run = this.client.get<unknown, 'conversation'>(this.id);
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
      const message = `The conversation \`${this.id}\` has ended (${status}). \`${printedCommand('show', this.id)}\` prints it; begin another without \`--id\`.`;
      throw new HoldfastError('RunEnded', { id: this.id, status }, { message });
    }
    this.found = await run.state();
    if (this.found.mode !== 'conversation') throw notForTalking(this.agent, this.id);
    this.run = run;
    this.said = true;
  }

  /** Starts the conversation with the input, if there is one, as the first message. True if it did. */
  async begin(): Promise<boolean> {
    const { input } = this.subject;
    if (this.run !== undefined || input === undefined) return false;
    this.said = true;
    const run = await this.client.start(this.agent, { ...this.#start(), input });
    // The state names the agent's mode once the first message is in it.
    for await (const { type } of run.facts()) if (type !== 'loop.start') break;
    await this.#begun(run as ConversationHandle);
    return true;
  }

  /** Sends a message. The first one starts the conversation. */
  async send(text: string): Promise<MessageReceipt> {
    const id = this.newMessage();
    this.said = true;
    if (this.run !== undefined) return this.run.send(text, { id, ...this.who });
    const run = this.client.conversation(this.agent, this.#start());
    const taken = await run.send(text, { id, ...this.who });
    await this.#begun(run);
    return taken;
  }

  /** Makes the id of a message that this client sends. */
  newMessage(): string {
    const id = randomUUID();
    this.#mine.add(id);
    return id;
  }

  /** The command that returns to the conversation. */
  get command(): string {
    return printedCommand('chat', this.agent, '--id', this.id);
  }

  /** A client without the agent's code does not know the agent's mode before the run has started. */
  async #begun(run: ConversationHandle): Promise<void> {
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

/** The error for a task, which takes an input and gives an answer, but no messages. */
export function notForTalking(agent: string, id: string): HoldfastError {
  const message = `The agent \`${agent}\` works on tasks and holds no conversations. Start one with \`${printedCommand('run', agent, '…')}\`, or give the agent \`mode: 'conversation'\`.`;
  return new HoldfastError('NotAConversation', { id, what: 'be talked with' }, { message });
}
