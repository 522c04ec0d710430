import type { Client } from '@temporalio/client';
import { HoldfastError } from '../../../agent/errors/error';
import type { RunInput } from '../../../agent/protocol/run';
import { canonicalJson, isJsonObject, type Json } from '../../../agent/values/json';
import { orHoldfastError } from '../../requests/client-error';
import { firstStartOf } from './first-start';

/**
 * Checks that a start with a used id means the existing run: the start event of the first run of the chain has the same
 * agent, version of its contract, and input.
 * @throws HoldfastError `IdInUse`
 */
export async function checkAttach(
  client: Client,
  { id, agent, input }: { id: string; agent: string; input: RunInput },
): Promise<void> {
  const started = await firstStartOf(client, id).catch((error: unknown) => {
    throw orHoldfastError(error, id);
  });
  const inUse = (problem: string) => new HoldfastError('IdInUse', { id, problem });
  if (started.agent !== agent) throw inUse(`a run of \`${started.agent}\` has it`);
  if (canonicalJson(whatFor(started.input)) !== canonicalJson(whatFor(input))) {
    throw inUse(`a run of \`${agent}\` with another input has it`);
  }
}

/** What identifies a start: the input, or the event. An event that is sent again may have another time. */
function whatFor(started: unknown): Json {
  if (!isJsonObject(started)) return null;
  const { input = null, version = null, event } = started;
  // A plain client may have started the run with the bare event.
  const { source, id, data = null } = isJsonObject(event) ? event : started;
  return typeof source === 'string' && typeof id === 'string' ? [source, id, data] : [input, version];
}
