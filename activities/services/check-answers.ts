import type { Log } from '../../agent/define/context';
import type { AnswerToCheck, AnswerVerdict, CheckAnswersInput } from '../../agent/protocol/activities';
import type { JsonSchema, Manifest } from '../../agent/protocol/manifest';
import type { Json } from '../../agent/values/json';
import { interruptible } from '../heartbeat';
import type { PinStore } from '../run/pins';
import { schemaVerdict } from './schema-verdict';

interface CheckAnswersDeps {
  pins: PinStore;
  log: Log;
}

/**
 * `holdfast.checkAnswers`: for each reply of a service, in order, whether it is one of the answers of its contract.
 */
export function createCheckAnswers({ pins, log }: CheckAnswersDeps) {
  return ({ pin, answers }: CheckAnswersInput): Promise<AnswerVerdict[]> =>
    interruptible(async () => {
      const manifest = await pins.manifest(pin.manifest);
      return answers.map((answer) => verdictOf(manifest, answer, log));
    });
}

function verdictOf(manifest: Manifest, { name, type, data }: AnswerToCheck, log: Log): AnswerVerdict {
  const emits = emitsOf(manifest, name);
  if (emits === undefined) return { ok: false, problem: `the run has no service \`${name}\`` };
  if (type === undefined) return fitsAny(emits, data, log);
  const schema = Object.hasOwn(emits, type) ? emits[type] : undefined;
  if (schema !== undefined) return schemaVerdict(schema, data, log, type);
  const known = Object.keys(emits).map((one) => `\`${one}\``);
  return { ok: false, problem: `type: \`${type}\` is not an answer of the contract, which has ${known.join(', ')}` };
}

function emitsOf({ tools }: Manifest, name: string): { [type: string]: JsonSchema } | undefined {
  const tool = tools.find((one) => one.name === name);
  return tool?.kind === 'service' ? tool.service.contract.emits : undefined;
}

/** Plain data names no type: it is the first answer that it fits. */
function fitsAny(emits: { [type: string]: JsonSchema }, data: Json, log: Log): AnswerVerdict {
  const problems: string[] = [];
  for (const [type, schema] of Object.entries(emits)) {
    const verdict = schemaVerdict(schema, data, log, type);
    if (verdict.ok) return { ok: true, type };
    problems.push(verdict.problem);
  }
  if (problems.length === 1) return { ok: false, problem: problems[0] as string };
  const each = Object.keys(emits).map((type, i) => `not \`${type}\` (${problems[i]})`);
  return { ok: false, problem: `it fits no answer of the contract: ${each.join(', ')}` };
}
