import { MAX_CALLS } from '../../agent/limits';
import type { CallProblem, ModelAnswer, ToolRequest } from '../../agent/model/answer';
import { nearNames } from '../../agent/model/name-table';
import { type PlannedCall, planCalls } from '../../agent/model/planned-calls';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { AgentState, BatchCall, UnknownOutcome } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import type { JsonObject } from '../../agent/values/json';

export interface DroppedCall {
  name: string;
  input: JsonObject;
  priority: number;
}

export type AnswerPlan =
  | { type: 'act'; calls: (BatchCall & { providerId?: string })[]; dropped: DroppedCall[] }
  | { type: 'finish' };

/**
 * What follows from an answer: calls with ids of ours, canonical names and, where they must not run, the reason; or the
 * end of the loop. Only the calls of the highest priority present stay.
 */
export function planAnswer(state: AgentState, answer: ModelAnswer): AnswerPlan {
  if (answer.toolRequests.length === 0) return { type: 'finish' };
  const { calls, dropped } = planCalls(state.turn, answer.toolRequests, state.manifest?.tools ?? []);
  return {
    type: 'act',
    calls: calls.map((planned) => candidate(state, planned)),
    dropped: dropped.map(({ tool, request: { name, input }, priority }) => ({
      name: tool?.name ?? name,
      input,
      priority,
    })),
  };
}

function candidate(
  state: AgentState,
  { toolUseId, request, tool, tooMany }: PlannedCall,
): BatchCall & { providerId?: string } {
  const { name, input, hash, providerId, approval } = request;
  const problem =
    request.problem ??
    (tooMany
      ? TOO_MANY
      : tool
        ? repeatsUnknownOutcome(state, tool, hash)
        : unknownTool(request, state.manifest?.tools ?? []));
  return {
    toolUseId,
    name: tool?.name ?? name,
    input,
    hash,
    ...defined({ ruled: approval, providerId, problem }),
  };
}

const TOO_MANY: CallProblem = {
  type: 'TooManyCalls',
  message: `This call was not run: at most ${MAX_CALLS} calls are run in one answer. Make it again.`,
};

function unknownTool({ name }: ToolRequest, tools: readonly ToolSpec[]): CallProblem {
  const known = tools.map((tool) => tool.modelName);
  const near = nearNames(name, known);
  const names = near.length > 0 ? near : known.slice(0, 20);
  const hint =
    names.length === 0 ? 'There are no tools.' : `${near.length > 0 ? 'Similar tools' : 'Tools'}: ${names.join(', ')}.`;
  return { type: 'UnknownTool', message: `There is no tool named \`${name}\`. ${hint}` };
}

/** The call of unknown outcome that a call would repeat. */
export function repeatedUnknown(
  { unknownOutcomes }: AgentState,
  { effect, name }: ToolSpec,
  hash: string,
): UnknownOutcome | undefined {
  if (effect !== 'once') return undefined;
  return unknownOutcomes.find((outcome) => outcome.name === name && outcome.hash === hash);
}

/** Where persons decide about the tool, one is asked whether it is to run again; else it is not run. */
function repeatsUnknownOutcome(state: AgentState, tool: ToolSpec, hash: string): CallProblem | undefined {
  const before = tool.approval === undefined ? repeatedUnknown(state, tool, hash) : undefined;
  if (before === undefined) return undefined;
  return {
    type: 'OutcomeUnknown',
    message:
      `\`${tool.modelName}\` was not run: nobody knows whether the same call ${before.toolUseId} took effect, and it ` +
      'must not happen twice. Find out by other means, or say in your answer that its outcome is unknown.',
  };
}
