import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { Client } from '@temporalio/client';
import type { FactPage } from '../../agent/protocol/facts/fact';
import { type LeftFacts, MAX_LEFT } from '../../agent/protocol/facts/left-facts';
import { readPayloads } from '../payloads/read-payloads';
import { lastEvent } from './last-event';

const inflate = promisify(inflateRaw);

/**
 * All facts of a history, from its last event, for which no worker is needed. `undefined` where the run has not gone on in
 * another history, or has not left its facts: a query has them.
 */
export async function leftFacts(client: Client, workflowId: string, runId: string): Promise<FactPage | undefined> {
  const event = await lastEvent(client, workflowId, runId);
  const { input } = event?.workflowExecutionContinuedAsNewEventAttributes ?? {};
  const left = await unpack(client, input?.payloads?.slice(1, 2));
  if (left === undefined) return undefined;
  const { chainId, facts } = left;
  const [first, last] = [facts[0]?.seq ?? 0, facts.at(-1)?.seq ?? 0];
  return { facts: [...facts], firstSeq: first, last, runId, chainId, ended: false };
}

/** Anyone may have written the history: what is something else is left to the query. */
async function unpack(client: Client, payloads: Parameters<typeof readPayloads>[1]): Promise<LeftFacts | undefined> {
  const [packed] = await readPayloads(client, payloads);
  if (!(packed instanceof Uint8Array)) return undefined;
  const json = await inflate(packed, { maxOutputLength: MAX_LEFT }).catch(() => undefined);
  if (json === undefined) return undefined;
  try {
    const left: LeftFacts = JSON.parse(json.toString());
    return left.facts.length > 0 && left.facts.every(({ seq }, i) => seq === (left.facts[0]?.seq ?? 0) + i)
      ? left
      : undefined;
  } catch {
    return undefined;
  }
}
