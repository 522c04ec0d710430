import type { Log } from '../../agent/define/context';
import { ANSWER_PROBLEM } from '../../agent/prompts/calls/services';
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
  if (emits === undefined) return { ok: false, problem: ANSWER_PROBLEM.noService(name) };
  if (type === undefined) return fitsAny(emits, data, log);
  const schema = Object.hasOwn(emits, type) ? emits[type] : undefined;
  if (schema !== undefined) return schemaVerdict(schema, data, log, type);
  return { ok: false, problem: ANSWER_PROBLEM.type(type, Object.keys(emits)) };
}

function emitsOf({ tools }: Manifest, name: string): { [type: string]: JsonSchema } | undefined {
  const tool = tools.find((one) => one.name === name);
  return tool?.kind === 'service' ? tool.service.contract.emits : undefined;
}

/** Plain data names no type: it is the first answer that it fits. */
function fitsAny(emits: { [type: string]: JsonSchema }, data: Json, log: Log): AnswerVerdict {
  const problems: [type: string, problem: string][] = [];
  for (const [type, schema] of Object.entries(emits)) {
    const verdict = schemaVerdict(schema, data, log, type);
    if (verdict.ok) return { ok: true, type };
    problems.push([type, verdict.problem]);
  }
  const [[, only = ''] = []] = problems;
  return { ok: false, problem: problems.length === 1 ? only : ANSWER_PROBLEM.fitsNone(problems) };
}
