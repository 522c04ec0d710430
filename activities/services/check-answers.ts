import type { Log } from '../../agent/define/context';
import { ANSWER_PROBLEM } from '../../agent/prompts/calls/services';
import type { AnswerToCheck, AnswerVerdict, CheckAnswersInput } from '../../agent/protocol/activities';
import type { JsonSchema, Manifest } from '../../agent/protocol/manifest';
import { interruptible } from '../heartbeat';
import type { PinStore } from '../run/pins';
import { answerVerdict } from './answer-verdict';
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
  return answerVerdict(emits, { type, data }, (schema, given, of) => schemaVerdict(schema, given, log, of));
}

function emitsOf({ tools }: Manifest, name: string): { [type: string]: JsonSchema } | undefined {
  const tool = tools.find((one) => one.name === name);
  return tool?.kind === 'service' ? tool.service.contract.emits : undefined;
}
