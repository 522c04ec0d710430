import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import { queueOf } from '../../client/requests/no-worker';
import { type Config, loadConfig } from '../../runtime/config/config';
import { give, isTerminal, warn } from '../../runtime/print';
import { diagnose } from '../doctor/diagnose';
import { checkAgentName } from '../runs/agent-name';
import { readJson } from '../runs/input';
import { userName } from '../user-name';
import { connectClient } from '../with-client';
import { Conversation, notForTalking } from './conversation';
import { chatPipe } from './pipe';
import { chatScreen } from './screen';

export interface ChatOptions {
  config?: string;
  id?: string;
  owner?: string;
  by?: string;
  input?: string;
  close?: boolean;
}

/** `holdfast chat`: an interactive conversation on a terminal. Without a terminal, each line of input is a message. */
export async function chat(
  agent: string,
  { config: path, input, by, close = false, ...options }: ChatOptions,
): Promise<number> {
  const config = await loadConfig(defined({ path }));
  const given =
    input === undefined
      ? undefined
      : await readJson(input, (problem) => new HoldfastError('InvalidInput', { agent, problem }));
  const client = await connectClient(config);
  try {
    const conversation = new Conversation(client, {
      agent,
      ...options,
      input: given,
      by: userName(by),
    });
    await patiently(conversation.find());
    if (conversation.run === undefined) await refuseTask(agent, conversation.id, config);
    const { namespace, taskQueue } = config.temporal;
    const why = async (id: string) =>
      diagnose(client.temporal, id, {
        namespace,
        heartbeatInterval: config.worker.heartbeatInterval,
        taskQueue: conversation.run === undefined ? taskQueue : await queueOf(client.temporal, id),
      });
    if (process.stdin.isTTY && isTerminal()) return await chatScreen(conversation, { diagnose: why, close });
    return await chatPipe(conversation, {
      input: process.stdin,
      out: (text, form) => give(`${text}\n`, form),
      err: warn,
      diagnose: why,
      close,
    });
  } finally {
    await client.close();
  }
}

/** Milliseconds after which the person is told that no worker has responded. */
const LONG = 3000;

async function patiently(found: Promise<void>): Promise<void> {
  const timer = setTimeout(() => warn('No worker has responded yet …'), LONG);
  await found.finally(() => clearTimeout(timer));
}

/** Refuses a wrong name, and a task, before it starts. Both come from the agents' modules, if they can be loaded here. */
async function refuseTask(agent: string, id: string, config: Config): Promise<void> {
  const known = await checkAgentName(agent, config);
  if (known !== undefined && known.definition.mode !== 'conversation') throw notForTalking(agent, id);
}
