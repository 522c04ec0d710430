import { pino } from 'pino';
import type { Log } from '../agent/define/context';
import type { Json } from '../agent/values/json';
import { visibleJsonText } from '../agent/values/visible';
import { hideSecrets, hideSecretsIn } from './secrets/redact';
import { environmentSecrets } from './secrets/secret-values';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

export interface LogOptions {
  /** Used if the environment sets no level. Default `info`. */
  level?: LogLevel;
  /** Its `HOLDFAST_LOG` takes precedence: debug, info, warn, error or silent. Default `process.env`. */
  env?: { readonly [name: string]: string | undefined };
  /** Default standard error, so that standard output stays free for results. */
  destination?: { write(line: string): void };
}

/**
 * One JSON line per entry, which cannot control a terminal. Fields that usually hold secrets are blanked, and secrets
 * of the environment are hidden.
 */
export function createLog({ level = 'info', env = process.env, destination }: LogOptions = {}): Log {
  const wanted = env.HOLDFAST_LOG ?? '';
  const known = LEVELS.find((one) => one === wanted.toLowerCase());
  const options = {
    level: known ?? level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: ['apiKey', '*.apiKey', 'authorization', '*.authorization', '*.headers.authorization'],
  };
  // Synchronous: the last lines of a process before it dies matter most.
  const out = destination ?? pino.destination({ fd: 2, sync: true });
  const secrets = environmentSecrets(env);
  const log = pino(options, {
    write: (line: string) => void out.write(visibleJsonText(withoutSecrets(line, secrets))),
  });
  if (known === undefined && wanted !== '' && wanted !== told) {
    told = wanted;
    log.warn(
      { given: wanted },
      `HOLDFAST_LOG names an unknown level. Expected one of ${LEVELS.join(', ')}; ${level} is used.`,
    );
  }
  return log;
}

/** The unknown level that this process has warned of: it has several logs. */
let told: string | undefined;

/** An entry without secrets that is still valid: removing text from JSON directly could break it. */
function withoutSecrets(line: string, secrets: readonly string[]): string {
  if (hideSecrets(line, secrets) === line) return line;
  return `${JSON.stringify(hideSecretsIn(JSON.parse(line) as Json, secrets))}\n`;
}

/** A log that passes its entries on to a logger of the user: without secrets, and of every level. */
export function passingLog(log: Log, env: NonNullable<LogOptions['env']> = process.env): Log {
  const { HOLDFAST_LOG: _, ...rest } = env;
  const write = (line: string) => {
    const { level, time: _, msg, ...fields } = JSON.parse(line) as { level: keyof Log; time: number; msg?: string };
    log[level](fields, msg);
  };
  return createLog({ level: 'debug', env: rest, destination: { write } });
}

/** For tests, and where no log is wanted. */
export const SILENT_LOG: Log = { debug() {}, info() {}, warn() {}, error() {} };
