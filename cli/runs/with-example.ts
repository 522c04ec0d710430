import { toJsonSchema } from '../../agent/contracts/schema';
import { definitionAt } from '../../agent/define/versions';
import { HoldfastError } from '../../agent/errors/error';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';
import { shellWord } from '../../agent/values/shell-word';
import { loadConfig } from '../../runtime/config/config';
import { withConsoleOnError } from '../../runtime/print';
import { loadAgents } from '../../workers/load/load-agents';
import { inputExample } from '../lines/start-command';
import { addressAt, type Place } from '../remote/place';
import { connectRemote } from '../remote/run-client';

/** A command that starts an agent, up to the input. */
interface Starting extends Place {
  words: readonly string[];
  agent: string;
  /** Version of the agent's contract. */
  contract?: string;
}

/**
 * Does the work of a command that starts an agent. The error of an input that does not fit says what to type in its place.
 * @throws what `work` throws
 */
export async function withExample<T>(starting: Starting, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HoldfastError && error.type === 'InvalidInput')) throw error;
    // What the agent takes is told only where it can be found out. The error is the same.
    const found = await formOf(starting).catch(() => undefined);
    if (found === undefined) throw error;
    const typed = [...starting.words, inputExample(found.inputSchema)].map(shellWord).join(' ');
    const stop = /[.?]$/.test(error.message) ? '' : '.';
    throw new HoldfastError('InvalidInput', error.data as { agent: string; problem: string }, {
      message: `${error.message}${stop} The form is: \`holdfast ${typed}\``,
      cause: error,
    });
  }
}

/** What the agent takes, where it is known. */
async function formOf(starting: Starting): Promise<{ inputSchema?: JsonObject } | undefined> {
  const { agent: name, config, contract } = starting;
  const address = addressAt(starting);
  if (address !== undefined) {
    const client = await connectRemote(address, { patience: 0 });
    return (await client.agents()).find((one) => one.name === name);
  }
  const loaded = await loadConfig(defined({ path: config }));
  const agent = (await withConsoleOnError(() => loadAgents(loaded))).find((one) => one.name === name);
  if (agent === undefined) return undefined;
  const { inputSchema } = definitionAt(agent.definition, contract);
  return inputSchema === undefined ? {} : { inputSchema: toJsonSchema(inputSchema) };
}
