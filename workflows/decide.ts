import { hashText } from '../agent/hash';
import { canonicalJson, type JsonObject } from '../agent/json';
import { MAX_CALLS } from '../agent/limits';
import type { ToolSpec } from '../agent/manifest';
import type { CallProblem, ModelAnswer, ToolRequest } from '../agent/model-answer';
import { nearNames } from '../agent/name-table';
import type { AgentState, AwaitingCall, UnknownOutcome } from '../agent/state';

/** A call with its id and its tool, before priorities are looked at. */
interface Candidate extends AwaitingCall {
  priority: number;
  providerId?: string;
}

export interface DroppedCall {
  name: string;
  input: JsonObject;
  priority: number;
}

export type Decision =
  | { type: 'act'; calls: (AwaitingCall & { providerId?: string })[]; dropped: DroppedCall[] }
  | { type: 'finish' };

/**
 * What follows from an answer: calls with ids of ours, canonical names and, where they must not run, the reason; or the
 * end of the loop. Only the calls of the highest priority present stay.
 */
export function decide(state: AgentState, answer: ModelAnswer): Decision {
  if (answer.toolRequests.length === 0) return { type: 'finish' };
  const candidates = answer.toolRequests.map((request, i) => candidate(state, request, i + 1));
  const highest = Math.max(...candidates.map((call) => call.priority));
  const calls = candidates.filter((call) => call.priority === highest);
  const dropped = candidates.filter((call) => call.priority < highest);
  return {
    type: 'act',
    calls: calls.map(({ priority: _, ...call }) => call),
    dropped: dropped.map(({ name, input, priority }) => ({ name, input, priority })),
  };
}

function candidate(state: AgentState, request: ToolRequest, n: number): Candidate {
  const tools = state.manifest?.tools ?? [];
  const tool = tools.find((known) => known.modelName === request.name);
  const problem =
    request.problem ??
    (n > MAX_CALLS ? TOO_MANY : tool ? repeatsUnknownOutcome(state, tool, request) : unknownTool(request, tools));
  return {
    toolUseId: `t${state.turn}.${n}`,
    name: tool?.name ?? request.name,
    input: request.input,
    priority: tool?.priority ?? 0,
    ...(request.providerId === undefined ? {} : { providerId: request.providerId }),
    ...(problem === undefined ? {} : { problem }),
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

/** Names a call by what it does, so that the same call can be found again. */
export function callHash(input: JsonObject): string {
  return hashText(canonicalJson(input));
}

/** The call of unknown outcome that a call would repeat. */
export function repeatedUnknown(
  { unknownOutcomes }: AgentState,
  { effect, name }: ToolSpec,
  input: JsonObject,
): UnknownOutcome | undefined {
  if (effect !== 'once' || unknownOutcomes.length === 0) return undefined;
  const hash = callHash(input);
  return unknownOutcomes.find((outcome) => outcome.name === name && outcome.input === hash);
}

/** Where persons decide about the tool, one is asked whether it is to run again; else it is not run. */
function repeatsUnknownOutcome(state: AgentState, tool: ToolSpec, { input }: ToolRequest): CallProblem | undefined {
  const before = tool.approval === undefined ? repeatedUnknown(state, tool, input) : undefined;
  if (before === undefined) return undefined;
  return {
    type: 'OutcomeUnknown',
    message:
      `\`${tool.modelName}\` was not run: nobody knows whether the same call ${before.toolUseId} took effect, and it ` +
      'must not happen twice. Find out by other means, or say in your answer that its outcome is unknown.',
  };
}
