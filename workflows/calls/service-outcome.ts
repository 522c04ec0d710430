import { isCancellation } from '@temporalio/workflow';
import { messageOf } from '../../agent/errors/error';
import { BYTES } from '../../agent/limits';
import { outcomeOf, partsOf } from '../../agent/model/cut-tool-result';
import type { ContentPart } from '../../agent/model/message';
import {
  ANSWER_PROBLEM,
  answerCancelled,
  answerEvent,
  answerTooLarge,
  answerUnchecked,
  invalidAnswer,
  noReason,
  serviceFailed,
} from '../../agent/prompts/calls/services';
import {
  ACTIVITY,
  type AnswerToCheck,
  type AnswerVerdict,
  type CheckAnswersInput,
} from '../../agent/protocol/activities';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import { errorOutcome } from '../../agent/protocol/calls/tool-outcome';
import type { ServiceAnswer } from '../../agent/state/awaited-service';
import { defined } from '../../agent/values/defined';
import { isJsonObject, type Json, jsonBytes } from '../../agent/values/json';
import type { Run } from '../run/run';
import { runShort } from '../run/scheduling/patient-activity';
import type { ServiceCall } from './service-event';
import { decidesOnTools, takeToolApprovals } from './tool-approvals';

/** A call of a service with the answer that came for it. */
export interface AnsweredCall extends ServiceCall {
  answer: ServiceAnswer;
}

/**
 * What the model reads about the answers of one batch, in their order. An answer that breaks its contract becomes an
 * error that names the problem.
 */
export async function answerOutcomes(run: Run, answered: readonly AnsweredCall[]): Promise<ToolOutcome[]> {
  const refused = answered.map(refusalOf);
  const toCheck = answered.filter((_, i) => refused[i] === undefined);
  const checked = (await Promise.all(inPayloads(toCheck).map((group) => checkedOutcomes(run, group)))).flat();
  const found = new Map(toCheck.map((one, i) => [one, checked[i]]));
  return answered.map((one, i) => refused[i] ?? found.get(one) ?? invalid(one, ANSWER_PROBLEM.unchecked));
}

/**
 * The error of an answer that need not be checked: it reports a failure, belongs to another contract or is too large.
 */
function refusalOf(answered: AnsweredCall): ToolOutcome | undefined {
  const { tool, service, answer } = answered;
  const { contract } = service;
  const { type, error, data = null, dataschema } = answer;
  if (error !== undefined) return errorOutcome('ServiceFailed', serviceFailed(tool.modelName, error.slice(0, 2000)));
  if (type === contract.systemError) {
    return errorOutcome('ServiceFailed', serviceFailed(tool.modelName, systemErrorText(data)));
  }
  const schema = `${contract.uri}/${contract.version}`;
  if (dataschema !== undefined && dataschema !== schema) {
    return invalid(answered, ANSWER_PROBLEM.schema(dataschema, schema));
  }
  const bytes = jsonBytes(data);
  if (bytes <= BYTES.result) return undefined;
  return errorOutcome('ResultTooLarge', answerTooLarge(tool.modelName, bytes));
}

/** Groups answers that are checked together: the arguments of an activity are one payload. */
function inPayloads(answered: readonly AnsweredCall[]): AnsweredCall[][] {
  const groups: AnsweredCall[][] = [];
  let room = 0;
  for (const one of answered) {
    const bytes = jsonBytes(one.answer.data);
    if (bytes > room) {
      groups.push([]);
      room = BYTES.result;
    }
    groups.at(-1)?.push(one);
    room -= bytes;
  }
  return groups;
}

/** Has a worker check answers, and applies the decisions in them. */
async function checkedOutcomes(run: Run, answered: readonly AnsweredCall[]): Promise<ToolOutcome[]> {
  const input: CheckAnswersInput = { pin: run.pin, answers: answered.map(checkable) };
  const room = run.bytes.spend(jsonBytes(input));
  if (room !== undefined) await room;
  const what = answered.length === 1 ? 'the answer of a service' : `the answers of ${answered.length} services`;
  const summary = `turn ${run.state.turn}: check ${what}`;
  let verdicts: AnswerVerdict[];
  try {
    verdicts = await runShort<AnswerVerdict[]>(ACTIVITY.checkAnswers, input, summary);
  } catch (error) {
    return answered.map((one) => unchecked(one, error));
  }
  const outcomes: ToolOutcome[] = [];
  for (const [i, one] of answered.entries()) {
    const verdict = verdicts[i];
    if (verdict?.ok !== true) outcomes.push(invalid(one, verdict?.problem ?? ANSWER_PROBLEM.unchecked));
    else {
      const { toolUseId } = one.call;
      const failed = decidesOnTools(one) ? await takeToolApprovals(run, toolUseId, one.answer.data ?? null) : undefined;
      outcomes.push(failed === undefined ? outcomeOfData(run, one, verdict.type) : unchecked(one, failed.error));
    }
  }
  return outcomes;
}

function checkable({ tool, service, answer: { type, data = null } }: AnsweredCall): AnswerToCheck {
  return {
    name: tool.name,
    // The contract of an agent without an output schema has its text as `response`.
    data: service.kind === 'agent' && typeof data === 'string' ? { response: data } : data,
    ...defined({ type }),
  };
}

/** The data of two kinds of answer may look alike: where a contract has several, the model is told which one came. */
function outcomeOfData({ state }: Run, { tool, service, answer }: AnsweredCall, type?: string): ToolOutcome {
  const { type: came = type, data = null } = answer;
  const several = Object.keys(service.contract.emits).length > 1 && came !== undefined;
  const event: ContentPart[] = several ? [{ type: 'text', text: answerEvent(came) }] : [];
  const maxChars = state.manifest?.limits.maxResultChars ?? Number.MAX_SAFE_INTEGER;
  return outcomeOf([...event, ...partsOf(data)], maxChars, tool.modelName);
}

function invalid({ tool }: AnsweredCall, problem: string): ToolOutcome {
  return errorOutcome('InvalidAnswer', invalidAnswer(tool.modelName, problem));
}

function unchecked({ tool: { modelName } }: AnsweredCall, error: unknown): ToolOutcome {
  if (isCancellation(error)) return errorOutcome('ServiceCancelled', answerCancelled(modelName));
  return errorOutcome('ServiceFailed', answerUnchecked(modelName, messageOf(error)));
}

function systemErrorText(data: Json): string {
  if (!isJsonObject(data)) return noReason();
  const { errorName = 'Error', errorMessage = '' } = data;
  return `${String(errorName)}: ${String(errorMessage)}`.slice(0, 2000);
}
