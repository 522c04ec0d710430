import type { CallProblem, ModelAnswer, ToolRequest } from '../../agent/model/answer';
import { planCalls } from '../../agent/plan/plan-calls';
import type { ToolOutcome } from '../../agent/protocol/calls/tool-call';
import type { ToolSpec } from '../../agent/protocol/manifest';
import type { BatchCall, CallFacts } from '../../agent/state/batch';
import type { AgentState } from '../../agent/state/state';
import { hashOfArguments } from '../../runtime/sha256';
import { newState } from '../../workflows/state/first-state';
import type { StepInput } from '../../workflows/state/reduce';
import { plainManifest } from '../activities/plain-manifest';

/** A tool as a manifest pins it. */
export function toolSpec(name: string, more: Partial<ToolSpec> = {}): ToolSpec {
  return {
    name,
    kind: 'internal',
    modelName: name.replace(/\./g, '_'),
    description: name,
    inputSchema: { type: 'object' },
    effect: 'once',
    priority: 0,
    timeout: 60_000,
    attempts: 1,
    placement: 'activity',
    cancellation: 'wait',
    ...more,
  } as ToolSpec;
}

/** A run just before its first model call. */
export function runState(tools: ToolSpec[] = [], more: Partial<AgentState> = {}): AgentState {
  return {
    ...newState({ id: 'run-1', agent: 'test.agent', chainId: 'first' }),
    phase: { at: 'working' },
    input: {},
    manifest: { ...plainManifest, tools },
    context: { metadata: {} },
    pin: { manifest: 'm', context: 'c' },
    toolInteractions: { current: 0, max: 25 },
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }], turn: 0 }],
    ...more,
  };
}

/** A call as a model requests it. By default the hash is computed from the arguments. */
export type UnhashedRequest = Omit<ToolRequest, 'hash'> & { hash?: string };

/** An answer of a model. */
export function modelAnswer(said: { text?: string; requests?: UnhashedRequest[] } & Partial<ModelAnswer>): ModelAnswer {
  const { text, requests = [], ...more } = said;
  return {
    type: requests.length > 0 ? 'tool_call' : 'text',
    parts: text === undefined ? [] : [{ type: 'text', text }],
    toolRequests: requests.map((request) => ({ hash: hashOfArguments(request.input), ...request })),
    finishReason: requests.length > 0 ? 'tool_calls' : 'stop',
    usage: { prompt: 10, completion: 5 },
    executionUnits: 15,
    model: 'scripted',
    ...more,
  };
}

/** The step in which a run starts the calls of an answer, by default the first one. */
export function acting(answer: ModelAnswer, tools: ToolSpec[], more: Partial<AgentState> = {}): StepInput {
  return { type: 'acting', answer, plan: planCalls(answer.toolRequests, runState(tools, { turn: 1, ...more })) };
}

/** A call of a batch: open, unless an outcome or a problem is given. */
export function batchCall(
  given: Partial<CallFacts> & { outcome?: ToolOutcome; problem?: CallProblem } = {},
): BatchCall {
  const { outcome, problem, ...more } = given;
  const call = { toolUseId: 't1.1', name: 'ask', input: {}, hash: 'h', ...more };
  if (problem !== undefined) return { ...call, status: 'rejected', problem };
  return outcome === undefined ? { ...call, status: 'open' } : { ...call, status: 'settled', outcome };
}
