import type { Log } from '../../agent/define/context';
import { NO_SPENDING } from '../../agent/model/cost/spending';
import type { Message } from '../../agent/model/message';
import { expectedMessage } from '../../agent/plan/answer-message';
import type { CallModelInput, CallModelResult } from '../../agent/protocol/calls/model-call';
import { defined } from '../../agent/values/defined';
import type { RulesCheck } from '../approvals/rules-of-answer';
import type { ServiceCallsCheck } from '../services/check-calls';
import type { RunWithAnswer } from '../tools/run-with-answer';
import { askModel } from './ask-model';
import { inAttempt } from './attempt';
import { CALL_BUDGET, failureOf } from './call-budget';
import { concludingAnswer } from './concluding-answer';
import type { RequestDeps } from './make-requests';
import { type PrepareCallDeps, type PreparedCall, prepareCall } from './prepare-call';
import { plannedAnswer } from './purpose/planned-answer';
import { hears, type TellRun } from './usage/tell-run';
import { onceEach } from './usage/warnings';

export interface CallModelDeps extends PrepareCallDeps, RequestDeps {
  /** Checks calls of services against their contracts. */
  checkServiceCalls: ServiceCallsCheck;
  /** Asks the approval rules about the calls of an answer. */
  judge: RulesCheck;
  /** Runs the calls that may run with the answer. */
  runTools: RunWithAnswer;
  /** Keeps the message that is expected to follow the transcript of a call. */
  expect(call: CallModelInput, message: Message): void;
  /** Default: the run is told nothing before the call has ended. */
  tellRun?: TellRun;
  /** Default: warnings go nowhere. */
  log?: Pick<Log, 'warn'>;
}

/** Makes the activity `holdfast.callModel`. */
export function createCallModel(deps: CallModelDeps): (input: CallModelInput) => Promise<CallModelResult> {
  const warnings = onceEach(deps.log);
  return (input) => {
    return inAttempt(async (attempt) => {
      const { record, signal } = attempt;
      let budget = CALL_BUDGET;
      try {
        const call = await prepareCall(deps, input, attempt);
        budget = call.patience;
        attempt.tellRun = hears(call.pinned) ? deps.tellRun : undefined;
        // The attempt may be refused before it is made, after others that have cost something.
        record.follow(() => ({ ...NO_SPENDING, model: call.config.model }));
        const answer = await askModel(deps, call, { attempt, warn: warnings(input.model) });
        const told = defined({ sections: call.sections, offered: call.offer?.told });
        const result = record.whole({ ...(await withTools(deps, call, { ...answer, ...told }, signal)) });
        // Answers for other purposes are not part of the transcript, or are changed.
        if (input.purpose === undefined) deps.expect(input, expectedMessage(result, input.turn, call.pinned.tools));
        return result;
      } catch (error) {
        throw await failureOf(error, attempt, budget);
      }
    });
  };
}

/** The answer, with the verdicts of the rules about its calls and the results of those that ran with it. */
async function withTools(
  { checkServiceCalls, judge, runTools }: CallModelDeps,
  { input, manifest, pinned, context }: PreparedCall,
  given: CallModelResult,
  cancelled: AbortSignal,
): Promise<CallModelResult> {
  if (input.toolChoice === 'none') return concludingAnswer(given, pinned.tools);
  const answer = plannedAnswer(given, input, pinned);
  const about = { manifest: input.purpose?.for === 'planner' ? pinned : manifest, context, cancelled };
  const requests = await checkServiceCalls({ ...about, requests: answer.toolRequests });
  const toolRequests = await judge({ ...about, turn: input.turn, requests });
  return runTools({ ...about, call: input, answer: { ...answer, toolRequests } });
}
