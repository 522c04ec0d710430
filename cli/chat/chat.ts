import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { Json } from '../../agent/values/json';
import type { RemoteClient } from '../../client/remote/remote-client';
import { checkedStart } from '../../client/runs/start/checked-start';
import { diagnose } from '../../client/silence/diagnose';
import { problemOf } from '../../client/silence/run-problem';
import { type Config, loadConfig } from '../../runtime/config/config';
import { give, isTerminal, warn } from '../../runtime/print';
import { addressAt, type Place } from '../remote/place';
import { connectRemote } from '../remote/run-client';
import { problemAt } from '../remote/silence';
import { checkAgentName } from '../runs/agent-name';
import { readJson } from '../runs/input';
import { withExample } from '../runs/with-example';
import { userName } from '../user-name';
import { connectClient } from '../with-client';
import { Conversation, notForTalking } from './conversation';
import { ServedOpening } from './open/with-server';
import { TemporalOpening } from './open/with-temporal';
import { type ChatPipe, chatPipe } from './pipe';
import { chatScreen } from './screen/screen';

export interface ChatOptions extends Place {
  id?: string;
  owner?: string;
  by?: string;
  input?: string;
  close?: boolean;
}

/** `holdfast chat`: an interactive conversation on a terminal. Without a terminal, each line of input is a message. */
export function chat(agent: string, options: ChatOptions): Promise<number> {
  return withExample({ ...options, words: ['chat', agent, '--input'], agent }, () => open(agent, options));
}

async function open(agent: string, { input: text, close = false, ...options }: ChatOptions): Promise<number> {
  const fail = (problem: string) => new HoldfastError('InvalidInput', { agent, problem });
  const input = text === undefined ? undefined : await readJson(text, fail);
  const address = addressAt(options);
  if (address !== undefined) return chatAt(await connectRemote(address), agent, { ...options, input, close });
  const config = await loadConfig(defined({ path: options.config }));
  const { id, owner, by } = options;
  const begun = { agent, input, config };
  // What can be refused without a server is refused before one is waited for. With an id, the conversation may exist.
  if (id === undefined) await refuseStart(begun);
  const client = await connectClient(config);
  try {
    const opening = new TemporalOpening(client, agent, defined({ id, owner }));
    const conversation = new Conversation(opening, { input, by: userName(by) });
    await patiently(conversation.find());
    if (id !== undefined && conversation.run === undefined) await refuseStart(begun);
    const { namespace, taskQueue } = config.temporal;
    const { heartbeatInterval } = config.worker;
    const why = (id: string) =>
      conversation.run === undefined
        ? diagnose(client.temporal, id, { namespace, heartbeatInterval, taskQueue })
        : problemOf(client.temporal, id, heartbeatInterval);
    return await talk(conversation, { diagnose: why, close });
  } finally {
    await client.close();
  }
}

/** A chat at a served address. */
async function chatAt(
  client: RemoteClient,
  agent: string,
  { id, input, close }: { id?: string; input: Json | undefined; close: boolean },
): Promise<number> {
  const opened = ServedOpening.open(client, agent, { id, input });
  await patiently(opened);
  const opening = await opened;
  const conversation = new Conversation(opening, { input, by: client.user.user });
  try {
    await patiently(conversation.find());
    return await talk(conversation, { diagnose: (run) => problemAt(client, run), close });
  } finally {
    if (!conversation.said) await opening.leaveEmpty().catch(() => undefined);
  }
}

function talk(conversation: Conversation, options: Pick<ChatPipe, 'diagnose' | 'close'>): Promise<number> {
  if (process.stdin.isTTY && isTerminal()) return chatScreen(conversation, options);
  const out = (text: string, form: 'text' | 'json') => give(`${text}\n`, form);
  return chatPipe(conversation, { input: process.stdin, out, err: warn, ...options });
}

/** Milliseconds after which the person is told that no worker has responded. */
const LONG = 3000;

async function patiently(found: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => warn('No worker has responded yet …'), LONG);
  await found.finally(() => clearTimeout(timer));
}

/** What a chat would start. */
interface Begun {
  agent: string;
  input: Json | undefined;
  config: Config;
}

/**
 * Refuses a wrong name, a task, and an input that does not fit, before anything starts: the agents' modules say so, where
 * they can be loaded here.
 */
async function refuseStart({ agent, input, config }: Begun): Promise<void> {
  const known = await checkAgentName(agent, config);
  if (known === undefined) return;
  if (known.definition.mode !== 'conversation') throw notForTalking(agent, '');
  if (input !== undefined) await checkedStart(known, { input, taskQueue: config.temporal.taskQueue });
}
