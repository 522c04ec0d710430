import type { MessageReceipt } from '../../../agent/conversation/messages';
import { HoldfastError } from '../../../agent/errors/error';
import { defined } from '../../../agent/values/defined';
import type { Json } from '../../../agent/values/json';
import type { RemoteClient } from '../../../client/remote/remote-client';
import type { RemoteRun } from '../../../client/remote/remote-run';
import { endedAlready, notForTalking, type Opening } from '../conversation';

/** A conversation at a served address. Only the server can name it, so it is started before the first message. */
export class ServedOpening implements Opening {
  private constructor(
    readonly client: RemoteClient,
    readonly agent: string,
    private readonly run: RemoteRun,
    private readonly isNew: boolean,
  ) {}

  /**
   * Finds the conversation with this id, or the one that was started with it. Without one, another is started.
   * @throws HoldfastError `UnknownAgent`, `NotAConversation`, `InvalidInput`, `IdInUse`, `RunEnded`, `NoServer`
   */
  static async open(
    client: RemoteClient,
    agent: string,
    { id, input }: { id?: string | undefined; input?: Json | undefined },
  ): Promise<ServedOpening> {
    if (id !== undefined) {
      const run = client.get(id);
      const state = await run.state().catch(unlessMissing);
      if (state !== undefined) {
        if (state.agent !== agent) {
          throw new HoldfastError('IdInUse', { id, problem: `a run of \`${state.agent}\` has it` });
        }
        if (state.status !== 'running') throw endedAlready(id, state.status);
        return new ServedOpening(client, agent, run, false);
      }
    }
    const agents = await client.agents();
    const known = agents.find(({ name }) => name === agent);
    if (known === undefined) {
      throw new HoldfastError('UnknownAgent', { agent, known: agents.map(({ name }) => name) });
    }
    if (known.mode !== 'conversation') throw notForTalking(agent, id ?? '');
    const run = await client.start(agent, { input, ...defined({ idempotencyKey: id }) });
    if (id === undefined) return new ServedOpening(client, agent, run, true);
    const { exchange, idle, status } = await run.state();
    if (status !== 'running') throw endedAlready(run.id, status);
    // The first exchange is shown whole, also if another client has started it.
    return new ServedOpening(client, agent, run, exchange === 0 || (exchange === 1 && !idle && input !== undefined));
  }

  get id(): string {
    return this.run.id;
  }

  async find(): Promise<RemoteRun | undefined> {
    return this.isNew ? undefined : this.run;
  }

  async begin(): Promise<RemoteRun> {
    return this.run;
  }

  async send(text: string, options: { id: string }): Promise<{ run: RemoteRun; taken: MessageReceipt }> {
    return { run: this.run, taken: await this.run.send(text, options) };
  }

  /** Ends a conversation in which nothing was said. */
  async leaveEmpty(): Promise<void> {
    if (this.isNew) await this.run.close();
  }
}

function unlessMissing(error: unknown): undefined {
  if (error instanceof HoldfastError && error.type === 'RunNotFound') return undefined;
  throw error;
}
