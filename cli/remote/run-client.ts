import type { Client } from '@temporalio/client';
import type { Mode } from '../../agent/define/agent-definition';
import { HoldfastError } from '../../agent/errors/error';
import type { Pending } from '../../agent/protocol/queries';
import { defined } from '../../agent/values/defined';
import { visible } from '../../agent/values/visible';
import type { AgentClient } from '../../client/agent-client';
import { RemoteClient } from '../../client/remote/remote-client';
import type { ConversationHandle } from '../../client/runs/conversation-handle';
import type { RunHandle } from '../../client/runs/run-handle';
import type { SessionFilter } from '../../client/runs/sessions';
import type { WaitingFilter, WaitingForPeople } from '../../client/waits/waiting-everywhere';
import { type Config, loadConfig } from '../../runtime/config/config';
import { warn } from '../../runtime/print';
import { oneLine } from '../lines/facts/fact-line';
import { withPrintedCommands } from '../terminal/printed-command';
import { connectClient, type Patience, patienceOf } from '../with-client';
import { addressAt, type GivenAddress, type Place, warnOfPlainHttp } from './place';

type RunMember =
  | 'id'
  | 'send'
  | 'steer'
  | 'answer'
  | 'decline'
  | 'approve'
  | 'deny'
  | 'edit'
  | 'retry'
  | 'switchModel'
  | 'compact'
  | 'raiseBudget'
  | 'undo'
  | 'rename'
  | 'cancel'
  | 'result'
  | 'facts'
  | 'events'
  | 'state'
  | 'budget'
  | 'transcript'
  | 'toolResult'
  | 'problem';

/** What commands do with a run, wherever it is. */
export type CommandRun<Output = unknown> = Pick<RunHandle<Output>, RunMember> & { waiting(): Promise<Pending> };
/** The same for a conversation. */
export type CommandConversation<Output = unknown> = CommandRun<Output> &
  Pick<ConversationHandle<Output>, 'interrupt' | 'regenerate' | 'close'>;

/** By the mode of the run's agent. */
export interface CommandRuns<Output> {
  task: CommandRun<Output>;
  conversation: CommandConversation<Output>;
}

/** The client of a command: one of Temporal, or one of a served address. */
export interface CommandClient extends Pick<AgentClient, 'delete' | 'completeService' | 'completeCall' | 'close'> {
  /** Missing at a served address. */
  readonly temporal?: Client;
  get<Output = unknown, M extends Mode = Mode>(id: string): CommandRuns<Output>[M];
  sessions(filter: SessionFilter): ReturnType<AgentClient['sessions']>;
  waiting(filter: WaitingFilter): Promise<WaitingForPeople>;
}

/** The client of a served address, if it is one. */
export function remoteOf(client: CommandClient): RemoteClient | undefined {
  return client instanceof RemoteClient ? client : undefined;
}

/**
 * Connects to a served address. While no server answers, requests are sent again, and one line says so.
 * @throws HoldfastError `NoServer`, `ServerRefused`, `Unauthorized`
 */
export async function connectRemote(
  { place, ...address }: GivenAddress,
  { patience = patienceOf(process.env) }: Patience = {},
): Promise<RemoteClient> {
  warnOfPlainHttp(address);
  const onAway = (problem: string) =>
    warn(`wait  ${oneLine(withPrintedCommands(visible(problem)))} Trying for ${patience / 1000} s`);
  try {
    return await RemoteClient.connect({ ...address, patience, onAway });
  } catch (error) {
    // A variable that was set long ago is easily forgotten.
    if (place === '--url' || !(error instanceof HoldfastError)) throw error;
    const stop = /[.!?]$/.test(error.message) ? '' : '.';
    const message = `${error.message}${stop} The address is that of HOLDFAST_URL.`;
    throw new HoldfastError(error.type, error.data, { message, cause: error });
  }
}

/**
 * Connects for the duration of a command that works with Temporal and with a served address.
 * @throws HoldfastError `NoServer`, `InvalidConfig`, `ServerRefused`, `Unauthorized`
 */
export async function withRunClient<T>(
  place: Place,
  work: (client: CommandClient, config: Config | undefined) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  const address = addressAt(place);
  const config = address === undefined ? await loadConfig(defined({ path: place.config })) : undefined;
  const client =
    address === undefined ? await connectClient(config as Config, patience) : await connectRemote(address, patience);
  try {
    return await work(client, config);
  } finally {
    await client.close();
  }
}
