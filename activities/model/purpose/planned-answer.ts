import { textOf } from '../../../agent/model/message';
import type { CallModelInput, CallModelResult } from '../../../agent/protocol/calls/model-call';
import type { Manifest } from '../../../agent/protocol/manifest';
import { planTool } from '../../../agent/strategy/offered-tools';
import { planArguments } from '../../../agent/strategy/plan-arguments';
import { readPlan } from '../../../agent/strategy/read-plan';
import { hashOfArguments } from '../../../runtime/sha256';

/**
 * The answer of a planner as the call that shows its plan to a person, if one has to approve it. Calls that a model made
 * although it was offered no tools are dropped.
 * @param manifest as the run has pinned it
 */
export function plannedAnswer(
  answer: CallModelResult,
  { purpose }: Pick<CallModelInput, 'purpose'>,
  manifest: Manifest,
): CallModelResult {
  if (purpose === undefined || purpose.for === 'router') return answer;
  const tool = purpose.for === 'planner' ? planTool(manifest) : undefined;
  const read = tool === undefined ? undefined : readPlan(textOf(answer));
  if (tool === undefined || read?.type !== 'plan') return { ...answer, toolRequests: [] };
  const input = planArguments(read.steps);
  return { ...answer, toolRequests: [{ name: tool.modelName, input, hash: hashOfArguments(input) }] };
}
