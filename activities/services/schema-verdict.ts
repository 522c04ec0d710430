import type { Log } from '../../agent/define/context';
import type { SchemaVerdict } from '../../agent/protocol/activities';
import type { JsonSchema } from '../../agent/protocol/manifest';
import { checkAgainstSchema } from '../schemas/check';

/** Whether a value fits a pinned schema; a schema that cannot be used accepts everything, and the log says why. */
export function schemaVerdict(schema: JsonSchema, value: unknown, log: Log, of: string): SchemaVerdict {
  const checked = checkAgainstSchema(schema, value);
  if (!checked.ok) return checked;
  if (checked.note !== undefined) log.warn({ of, problem: checked.note }, 'A schema cannot be used.');
  return { ok: true };
}
