import { randomUUID } from 'node:crypto';
import type { MessageReceipt } from '../../../agent/conversation/messages';
import { HoldfastError } from '../../../agent/errors/error';
import { defined } from '../../../agent/values/defined';
import type { Json } from '../../../agent/values/json';
import type { AgentClient } from '../../../client/agent-client';
import { orHoldfastError } from '../../../client/requests/client-error';
import type { CommandConversation, CommandRun } from '../../remote/run-client';
import { endedAlready, type Opening } from '../conversation';

/** A conversation that the first message starts. */
export class TemporalOpening implements Opening {
  readonly id: string;

  constructor(
    readonly client: AgentClient,
    readonly agent: string,
    private readonly options: { id?: string; owner?: string },
  ) {
    this.id = options.id ?? `${agent}-${randomUUID().slice(0, 8)}`;
  }

  async find(): Promise<CommandConversation | undefined> {
    if (this.options.id === undefined) return undefined;
    const run = this.client.get<unknown, 'conversation'>(this.id);
    const there = await run.workflow.describe().catch((error: unknown) => {
      const known = orHoldfastError(error, this.id);
      if (known instanceof HoldfastError && known.type === 'RunNotFound') return undefined;
      throw known;
    });
    if (there === undefined) return undefined;
    if (there.type !== this.agent) {
      throw new HoldfastError('IdInUse', { id: this.id, problem: `a run of \`${there.type}\` has it` });
    }
    if (there.status.name !== 'RUNNING') {
      throw endedAlready(this.id, there.status.name.toLowerCase().replaceAll('_', ' '));
    }
    return run;
  }

  begin(input: Json): Promise<CommandRun> {
    return this.client.start(this.agent, { ...this.#start(), input });
  }

  async send(
    text: string,
    options: { id: string; by?: string },
  ): Promise<{ run: CommandConversation; taken: MessageReceipt }> {
    const run = this.client.conversation(this.agent, this.#start());
    return { run, taken: await run.send(text, options) };
  }

  #start(): { id: string; owner?: string } {
    const { owner } = this.options;
    return { id: this.id, ...defined({ owner }) };
  }
}
