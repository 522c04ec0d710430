import { Context } from '@temporalio/activity';
import type { Log } from '../../agent/define/context';
import { ANSWER_PROBLEM } from '../../agent/prompts/calls/services';
import type { AnswerToCheck, AnswerVerdict, CheckAnswersInput } from '../../agent/protocol/activities';
import type { ToolOf } from '../../agent/protocol/manifest';
import { interruptible } from '../heartbeat';
import type { Registry } from '../registry';
import type { PinStore } from '../run/pins';
import { answerVerdict } from './answer-verdict';
import { ownVerdictOnAnswer } from './own-schema';
import { schemaVerdict } from './schema-verdict';

interface CheckAnswersDeps {
  registry: Registry;
  pins: PinStore;
  log: Log;
}

/**
 * `holdfast.checkAnswers`: for each reply of a service, in order, whether it is one of the answers of its contract, by the
 * pinned schemas and by what the contract requires beyond them.
 */
export function createCheckAnswers({ registry, pins, log }: CheckAnswersDeps) {
  return ({ pin, answers }: CheckAnswersInput): Promise<AnswerVerdict[]> =>
    interruptible(async (cancelled) => {
      const { tools } = await pins.manifest(pin.manifest);
      const agent = registry.find(Context.current().info.workflowType ?? '');
      return Promise.all(
        answers.map(async (answer): Promise<AnswerVerdict> => {
          const tool = tools.find(({ name }) => name === answer.name);
          if (tool?.kind !== 'service') return { ok: false, problem: ANSWER_PROBLEM.noService(answer.name) };
          const verdict = verdictOf(tool, answer, log);
          const { type = verdict.ok ? verdict.type : undefined, data } = answer;
          if (!verdict.ok || agent === undefined || type === undefined) return verdict;
          const own = await ownVerdictOnAnswer(agent, tool, { type, data }, cancelled);
          return own.ok ? verdict : own;
        }),
      );
    });
}

function verdictOf({ service }: ToolOf<'service'>, { type, data }: AnswerToCheck, log: Log): AnswerVerdict {
  const { emits } = service.contract;
  return answerVerdict(emits, { type, data }, (schema, given, of) => schemaVerdict(schema, given, log, of));
}
