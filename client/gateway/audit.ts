import type { Log } from '../../agent/define/context';
import { defined } from '../../agent/values/defined';
import type { Principal } from './auth/principal';
import { RequestRefused } from './failure';

/** What was done to which run. Texts of messages, and arguments, are not in it. */
export interface Audited {
  /** The action, such as `approve`. */
  audit: string;
  /** The run. Missing: there is none yet. */
  id?: string | undefined;
  agent?: string | undefined;
  toolUseId?: string | undefined;
  questionId?: string | undefined;
}

/** Characters of a part of a path: callers may write anything there. */
const MAX = 300;

/**
 * Writes the line of the audit log about one action: who has done what, and what came of it.
 * @param error missing: it was done
 */
export function tellAudit(log: Log, { user, tenant }: Principal, { audit, ...about }: Audited, error?: unknown): void {
  const where = Object.fromEntries(Object.entries(defined(about)).map(([name, text]) => [name, text.slice(0, MAX)]));
  log.info({ audit, user, ...defined({ tenant }), ...where, outcome: outcomeOf(error) }, 'Audit');
}

/** What came of an action: `done`, or the type of the error. */
export function outcomeOf(error: unknown): string {
  if (error === undefined) return 'done';
  if (!(error instanceof Error)) return 'unknown';
  return error instanceof RequestRefused || 'type' in error ? String((error as { type: unknown }).type) : error.name;
}
