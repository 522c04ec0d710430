import type { Mode } from '../agent/define/agent-definition';
import { visible } from '../agent/values/visible';
import { warn } from '../runtime/print';
import { oneLine } from './lines/facts/fact-line';
import type { Place } from './remote/place';
import { type CommandClient, type CommandRuns, withRunClient } from './remote/run-client';
import { workerProblemOf } from './remote/silence';
import { withPrintedCommands } from './terminal/printed-command';

/** Milliseconds without an answer before a line says why. */
const PATIENCE = 2000;

/**
 * Connects for a command about one run, which a worker has to answer. While none does, a line says why.
 * @throws HoldfastError `NoServer`, `InvalidConfig`
 */
export function withRun<T, M extends Mode = 'task'>(
  place: Place,
  id: string,
  work: (run: CommandRuns<unknown>[M], client: CommandClient) => Promise<T>,
): Promise<T> {
  return withRunClient(place, (client) => sayWhySilent(client, id, work(client.get<unknown, M>(id), client)));
}

async function sayWhySilent<T>(client: CommandClient, id: string, work: Promise<T>): Promise<T> {
  let said: string | undefined;
  let over = false;
  const look = async () => {
    const problem = await workerProblemOf(client, id);
    if (over || problem === undefined || problem === said) return;
    said = problem;
    warn(`wait  ${oneLine(withPrintedCommands(visible(problem)))}`);
  };
  // If the server is gone, the command itself ends with that.
  const silent = setInterval(() => look().catch(() => undefined), PATIENCE);
  try {
    return await work;
  } finally {
    over = true;
    clearInterval(silent);
  }
}
