import { randomUUID } from 'node:crypto';
import type { MessageReceipt } from '../../agent/conversation/messages';
import { HoldfastError } from '../../agent/errors/error';
import type { RunState } from '../../agent/state/run-state';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { CommandClient, CommandConversation, CommandRun } from '../remote/run-client';
import { printedCommand } from '../terminal/printed-command';

/** How a conversation is found, or started. */
export interface Opening {
  readonly client: CommandClient;
  readonly agent: string;
  /** The conversation's id, also before it has started. */
  readonly id: string;
  /**
   * The conversation, if it exists already.
   * @throws HoldfastError `IdInUse`, `RunEnded`, `NoServer`
   */
  find(): Promise<CommandConversation | undefined>;
  /** Starts it with an input, as its first message. */
  begin(input: Json): Promise<CommandRun>;
  /** Starts it with a message. */
  send(
    text: string,
    options: { id: string; by?: string },
  ): Promise<{ run: CommandConversation; taken: MessageReceipt }>;
}

/** Who talks, and what they begin with. */
export interface ChatSubject {
  by?: string | undefined;
  /** The input that starts the conversation: its first message. */
  input?: Json | undefined;
}

/** A conversation that exists already, or that starts with its first message. */
export class Conversation {
  readonly client: CommandClient;
  readonly agent: string;
  readonly id: string;
  /** Missing until the conversation has started. */
  run: CommandConversation | undefined;
  /** The state in which the run was found. Missing if the conversation starts here. */
  found: RunState | undefined;
  readonly who: { by?: string };
  /** A message was sent. It may have arrived even without a confirmation. */
  said = false;
  readonly #mine = new Set<string>();

  constructor(
    private readonly opening: Opening,
    private readonly subject: ChatSubject = {},
  ) {
    this.client = opening.client;
    this.agent = opening.agent;
    this.id = opening.id;
    this.who = defined({ by: subject.by });
  }

  /** Whether this client sent the message. */
  readonly isMine = (messageId: string | undefined): boolean => messageId !== undefined && this.#mine.has(messageId);

  /**
   * Finds the conversation if it exists already.
   * @throws HoldfastError `IdInUse`, `RunEnded`, `NotAConversation`, `NoWorker`, `NoServer`
   */
  async find(): Promise<void> {
    const run = await this.opening.find();
    if (run === undefined) return;
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
    const run = await this.opening.begin(input);
    // The state names the agent's mode once the first message is in it.
    for await (const { type } of run.facts()) if (type !== 'loop.start') break;
    await this.#begun(run as CommandConversation);
    return true;
  }

  /** Sends a message. The first one starts the conversation. */
  async send(text: string): Promise<MessageReceipt> {
    const id = this.newMessage();
    this.said = true;
    if (this.run !== undefined) return this.run.send(text, { id, ...this.who });
    const { run, taken } = await this.opening.send(text, { id, ...this.who });
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
  async #begun(run: CommandConversation): Promise<void> {
    if ((await run.state()).mode !== 'conversation') {
      await run.cancel();
      throw notForTalking(this.agent, this.id);
    }
    this.run = run;
  }
}

/** The error for a conversation that takes no more messages. */
export function endedAlready(id: string, status: string): HoldfastError {
  const message = `The conversation \`${id}\` has ended (${status}). \`${printedCommand('show', id)}\` prints it; begin another without \`--id\`.`;
  return new HoldfastError('RunEnded', { id, status }, { message });
}

/** The error for a task, which takes an input and gives an answer, but no messages. */
export function notForTalking(agent: string, id: string): HoldfastError {
  const message = `The agent \`${agent}\` works on tasks and holds no conversations. Start one with \`${printedCommand('run', agent, '…')}\`, or give the agent \`mode: 'conversation'\`.`;
  return new HoldfastError('NotAConversation', { id, what: 'be talked with' }, { message });
}
