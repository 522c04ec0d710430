import { type BlockedCalls, blockedProblem, withoutTwins } from '../breakers/blocked-calls';
import { MAX_CALLS } from '../limits';
import type { CallProblem, ToolRequest } from '../model/answer';
import { nearNames } from '../model/names/name-table';
import { noCallsLeft } from '../prompts/budget';
import {
  repeatsUnknownOutcome as repeatText,
  tooManyCalls,
  unknownTool as unknownToolText,
} from '../prompts/calls/refused-calls';
import type { Manifest, ToolSpec } from '../protocol/manifest';
import type { UnknownOutcome } from '../state/state';
import { defined } from '../values/defined';
import { laneOf } from './lanes';

/** A call of an answer, and how the run handles it. */
export interface PlannedCall {
  /** Made from its turn and its position in the answer: `t<turn>.<n>`. */
  toolUseId: string;
  /** The request of the model. */
  request: ToolRequest;
  /** Canonical name of its tool, or the name that the model gave if there is no such tool. */
  name: string;
  tool?: ToolSpec;
  /** Why it is not run. The model reads it. */
  problem?: CallProblem;
  /** Calls of one lane run one by one, in order. Missing: the call does not wait for others. */
  lane?: string;
}

/** The calls with the highest priority present, and the others, which leave no message. */
export interface CallPlan {
  calls: PlannedCall[];
  dropped: PlannedCall[];
}

/** What a plan depends on in addition to the answer. */
export interface PlanBasis {
  turn: number;
  manifest?: Pick<Manifest, 'tools' | 'execution' | 'breakers'>;
  /** Calls that must not be made again. */
  unknownOutcomes: readonly UnknownOutcome[];
  /** How many calls of tools the budget allows. Missing: not limited. */
  toolCallsLeft?: number | undefined;
  /** Calls that breakers stop. */
  blocked?: BlockedCalls | undefined;
}

/**
 * Plans the calls of an answer. The worker that called the model and the workflow plan in the same way: so the rules of
 * a tool see the id that its call will have, and a tool runs with the answer only if the workflow would run it.
 */
export function planCalls(requests: readonly ToolRequest[], basis: PlanBasis): CallPlan {
  const tools = basis.manifest?.tools ?? [];
  const asked = requests.map((request, i): PlannedCall => {
    const tool = tools.find(({ modelName }) => modelName === request.name);
    const problem = request.problem ?? (i >= MAX_CALLS ? TOO_MANY : problemOf(request, tool, basis));
    const lane = tool === undefined || problem !== undefined ? undefined : laneOf(basis.manifest, tool);
    return { ...handledCall(request, { turn: basis.turn, index: i, tool }), ...defined({ tool, problem, lane }) };
  });
  const planned = basis.manifest?.breakers?.repeatedCalls === 'skip' ? withoutTwins(asked) : asked;
  const highest = planned.reduce((most, call) => Math.max(most, priorityOf(call)), Number.NEGATIVE_INFINITY);
  return {
    calls: withinBudget(
      planned.filter((call) => priorityOf(call) === highest),
      basis.toolCallsLeft,
    ),
    dropped: planned.filter((call) => priorityOf(call) < highest),
  };
}

/** The part of a call that a transcript has. */
export type HandledCall = Pick<PlannedCall, 'toolUseId' | 'request' | 'name'>;

/** `index`: the position of the call in its answer, from 0. `tool`: what it calls, if there is such a tool. */
export function handledCall(
  request: ToolRequest,
  { turn, index, tool }: { turn: number; index: number; tool: ToolSpec | undefined },
): HandledCall {
  return { toolUseId: `t${turn}.${index + 1}`, request, name: tool?.name ?? request.name };
}

/** The first calls run, as far as the budget goes. */
function withinBudget(calls: PlannedCall[], left = Number.POSITIVE_INFINITY): PlannedCall[] {
  let used = 0;
  return calls.map((call) => {
    if (!takesBudget(call) || used++ < left) return call;
    const problem: CallProblem = { type: 'BudgetUsedUp', message: noCallsLeft(call.tool?.modelName ?? call.name) };
    const { lane: _, ...rest } = call;
    return { ...rest, problem };
  });
}

/** Whether a call counts as a call of a tool. Speaking to a person and ending the loop do not. */
export function takesBudget({ tool, problem }: PlannedCall): boolean {
  return tool !== undefined && tool.kind !== 'loop' && problem === undefined;
}

export function priorityOf({ tool }: PlannedCall): number {
  return tool?.priority ?? 0;
}

const TOO_MANY: CallProblem = {
  type: 'TooManyCalls',
  message: tooManyCalls(),
};

function problemOf(request: ToolRequest, tool: ToolSpec | undefined, basis: PlanBasis): CallProblem | undefined {
  return tool === undefined
    ? unknownTool(request, basis.manifest?.tools ?? [])
    : (repeatsUnknownOutcome(tool, request.hash, basis) ?? blockedProblem(tool, request, basis.blocked ?? {}));
}

/** Tools that are named to a model that calls one which does not exist. */
const MAX_NAMED = 20;

function unknownTool({ name }: ToolRequest, tools: readonly ToolSpec[]): CallProblem {
  const known = tools.map((tool) => tool.modelName);
  const near = nearNames(name, known);
  return { type: 'UnknownTool', message: unknownToolText(name, { near, known: known.slice(0, MAX_NAMED) }) };
}

/** The call with unknown outcome that a call would repeat. */
export function repeatedUnknown(
  { effect, name }: ToolSpec,
  hash: string,
  { unknownOutcomes }: Pick<PlanBasis, 'unknownOutcomes'>,
): UnknownOutcome | undefined {
  if (effect !== 'once') return undefined;
  return unknownOutcomes.find((outcome) => outcome.name === name && outcome.hash === hash);
}

/** A repeated call of unknown outcome is not run. With an approval policy a person is asked instead. */
function repeatsUnknownOutcome(tool: ToolSpec, hash: string, basis: PlanBasis): CallProblem | undefined {
  const before = tool.approval === undefined ? repeatedUnknown(tool, hash, basis) : undefined;
  if (before === undefined) return undefined;
  return { type: 'OutcomeUnknown', message: repeatText(tool.modelName, before.toolUseId) };
}
