import type { ServerResponse } from 'node:http';
import type { ModelAnswer } from '../../../agent/model/answer';
import { ask, failureOf } from '../../activities/model/asking';
import { lookup } from '../../activities/model/lookup';
import { KEY } from '../../adapters/provider';
import type { HostileApi } from './hostile-api';
import { BLOCKED, costOf, type HostileOptions, hostile } from './hostile-model';

/** Megabytes by which the memory may grow. */
const MOST = 400;

/** How a call of a hostile server has ended. */
export interface Outcome {
  answer?: ModelAnswer;
  /** The failure's type and message. */
  failure?: string;
}

/**
 * Calls a hostile server. However it ends: little is blocked and kept, a failure has a type of ours and a message that fits
 * on a screen, the key is nowhere, and the socket is closed.
 */
export async function outcomeOf(
  api: HostileApi,
  answer: (response: ServerResponse) => unknown,
  options: HostileOptions = {},
): Promise<Outcome> {
  const server = await hostile(answer, api.model);
  const call = () =>
    ask(server.config(options), { tools: [lookup] }).catch((error: unknown) => failureOf(Promise.reject(error)));
  const { result, blocked, megabytes } = await costOf(call);
  expect(blocked).toBeLessThan(BLOCKED);
  expect(megabytes).toBeLessThan(MOST);
  const { polluted } = {} as { polluted?: unknown };
  expect(polluted).toBeUndefined();
  if (!(result instanceof Error)) return { answer: result };
  expect(result.type).toMatch(/^(Model[A-Z]|Refused)/);
  expect(result.message.length).toBeLessThan(1000);
  expect(JSON.stringify([result.message, result.stack, result.details, result.cause])).not.toContain(KEY);
  return { failure: `${result.type}: ${result.message}` };
}
