import type { CheckAnswerInput, SchemaVerdict } from '../../agent/activities';
import type { Log } from '../../agent/context';
import type { Json } from '../../agent/json';
import type { JsonSchema } from '../../agent/manifest';
import { interruptible } from '../heartbeat';
import type { PinStore } from '../run/pins';
import { schemaVerdict } from './schema-verdict';

interface CheckAnswerDeps {
  pins: PinStore;
  log: Log;
}

/** `holdfast.checkAnswer`: whether what came back from a service is one of the answers that its contract knows. */
export function createCheckAnswer({ pins, log }: CheckAnswerDeps) {
  return ({ pin, name, type, data }: CheckAnswerInput): Promise<SchemaVerdict> =>
    interruptible(async () => {
      const manifest = await pins.manifest(pin.manifest);
      const emits = manifest.tools.find((tool) => tool.name === name)?.service?.contract.emits;
      if (emits === undefined) return { ok: false, problem: `the run has no service \`${name}\`` };
      if (type === undefined) return fitsAny(emits, data, log);
      const schema = Object.hasOwn(emits, type) ? emits[type] : undefined;
      if (schema !== undefined) return schemaVerdict(schema, data, log, type);
      const known = Object.keys(emits).map((one) => `\`${one}\``);
      return { ok: false, problem: `type: \`${type}\` is no answer of the contract, which has ${known.join(', ')}` };
    });
}

/** Plain data names no type: whichever answer it fits it is. */
function fitsAny(emits: { [type: string]: JsonSchema }, data: Json, log: Log): SchemaVerdict {
  const problems: string[] = [];
  for (const [type, schema] of Object.entries(emits)) {
    const verdict = schemaVerdict(schema, data, log, type);
    if (verdict.ok) return verdict;
    problems.push(verdict.problem);
  }
  if (problems.length === 1) return { ok: false, problem: problems[0] as string };
  const each = Object.keys(emits).map((type, i) => `not \`${type}\` (${problems[i]})`);
  return { ok: false, problem: `it fits no answer of the contract: ${each.join(', ')}` };
}
