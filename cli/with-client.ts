import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../agent/define/context';
import { HoldfastError } from '../agent/errors/error';
import { mayAnswerLater } from '../agent/errors/may-answer-later';
import { defined } from '../agent/values/defined';
import { AgentClient } from '../client/agent-client';
import { type Config, loadConfig } from '../runtime/config/config';
import { SILENT_LOG } from '../runtime/log';
import { warn } from '../runtime/print';

/** How patient a command is with a server that does not answer. */
export interface Patience {
  /** Milliseconds during which it tries again. Default `HOLDFAST_CONNECT_TIMEOUT` seconds, or 10. */
  patience?: number;
}

/** A server that was started just now needs some seconds. */
const PATIENCE = 10_000;
/** Milliseconds between two tries. */
const PAUSE = 500;

/** People read it. That answers stream again they see. */
const TOLD: Log = {
  ...SILENT_LOG,
  warn: (fields: { problem?: string }, text) => warn(`!     ${text}${fields.problem ? ` (${fields.problem})` : ''}`),
};

/**
 * Connects, and tries again while no server answers. One line says so.
 * @throws HoldfastError `NoServer`, `InvalidConfig` for an invalid `HOLDFAST_CONNECT_TIMEOUT`
 */
export async function connectClient(
  config: Config,
  { patience = patienceOf(process.env) }: Patience = {},
): Promise<AgentClient> {
  const end = Date.now() + patience;
  let told = false;
  for (;;) {
    try {
      return await AgentClient.connect({ config, logger: TOLD });
    } catch (error) {
      if (!mayAnswerLater(error) || Date.now() + PAUSE > end) throw error;
      if (!told)
        warn(`wait  No Temporal server answers at ${config.temporal.address} yet; trying for ${patience / 1000} s`);
      told = true;
      await delay(PAUSE);
    }
  }
}

/** Milliseconds from the environment. */
export function patienceOf({ HOLDFAST_CONNECT_TIMEOUT: given = '' }: { HOLDFAST_CONNECT_TIMEOUT?: string }): number {
  if (given === '') return PATIENCE;
  const ms = Number(given) * 1000;
  if (ms >= 0 && Number.isFinite(ms)) return ms;
  const problem = `Expected seconds, 0 or more, got \`${given}\``;
  throw new HoldfastError('InvalidConfig', { file: 'HOLDFAST_CONNECT_TIMEOUT', problem });
}

/**
 * Connects for the duration of a command, with a configuration or the path of one.
 * @throws HoldfastError `NoServer`, `InvalidConfig`
 */
export async function withClient<T>(
  given: Config | string | undefined,
  work: (client: AgentClient, config: Config) => Promise<T>,
  patience: Patience = {},
): Promise<T> {
  const config = typeof given === 'object' ? given : await loadConfig(defined({ path: given }));
  const client = await connectClient(config, patience);
  try {
    return await work(client, config);
  } finally {
    await client.close();
  }
}
