import type { Command } from 'commander';
import { HoldfastError } from '../../agent/errors/error';
import type { Place } from './place';

/** Commands that no HTTP API can carry out, by their names. */
export const OF_TEMPORAL: ReadonlySet<string> = new Set([
  'dev',
  'worker',
  'serve',
  'doctor',
  'replay',
  'export',
  'nudge',
  'grants',
  'revoke',
]);

/** Options that say who acts. At a served address the key or token says it. */
const OF_THE_TOKEN = ['by', 'role'] as const;
/** Commands whose `--owner` is that of a run to start. Others have it as a filter. */
const STARTS: ReadonlySet<string> = new Set(['run', 'chat']);

/** Why a command cannot be carried out at a served address, if it is to be. */
export function refusalAt(command: Command, env: { HOLDFAST_URL?: string } = process.env): string | undefined {
  const options: Place & { [name: string]: unknown } = command.opts();
  const { url, config } = options;
  if (url !== undefined && config !== undefined) return 'give either `--url` or `--config`';
  if (url === undefined && (config !== undefined || !env.HOLDFAST_URL)) return undefined;
  if (OF_TEMPORAL.has(command.name())) return refusal(command.name());
  const said = [...OF_THE_TOKEN, ...(STARTS.has(command.name()) ? ['owner'] : [])];
  const given = said.find((name) => options[name] !== undefined);
  if (given === undefined) return undefined;
  return `at a served address, the key or token says who you are: leave out \`--${given}\``;
}

/** The error for something that needs Temporal itself. */
export function needsTemporal(what: string): HoldfastError {
  return new HoldfastError('InvalidConfig', { file: 'HOLDFAST_URL or --url', problem: refusal(what) });
}

function refusal(what: string): string {
  return `\`holdfast ${what}\` needs Temporal itself: leave out \`--url\` and HOLDFAST_URL, or give \`--config\``;
}
