import { DEFAULT_LIMITS } from '../../agent/limits';
import type { ToolSpec } from '../../agent/manifest';
import type { ModelAnswer, ToolRequest } from '../../agent/model-answer';
import type { AgentState } from '../../agent/state';
import { EMPTY_HASH } from '../../agent/transcript';

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
  };
}

/** A run that stands before its first model call. */
export function runState(tools: ToolSpec[] = [], more: Partial<AgentState> = {}): AgentState {
  return {
    version: 1,
    id: 'run-1',
    agent: 'test.agent',
    firstRunId: 'first',
    input: {},
    metadata: {},
    epoch: 0,
    exchange: 1,
    manifest: {
      version: 1,
      agent: 'test.agent',
      models: ['default'],
      tools,
      checksOutput: false,
      limits: DEFAULT_LIMITS,
      searchAttributes: false,
    },
    context: { metadata: {} },
    pin: { manifest: 'm', context: 'c' },
    lifecycle: 'init',
    turn: 0,
    toolInteractions: { current: 0, max: 25 },
    model: 0,
    concluding: false,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }], turn: 0 }],
    sent: { epoch: 0, length: 0, hash: EMPTY_HASH },
    awaiting: [],
    toolTypeCounts: {},
    unknownOutcomes: [],
    decided: {},
    opened: -1,
    idle: false,
    inbox: [],
    steers: [],
    notes: [],
    taken: {},
    replied: {},
    undoable: [],
    memory: { from: 0 },
    grants: [],
    ignored: {},
    usage: { prompt: 0, completion: 0 },
    executionUnits: 0,
    facts: 0,
    ...more,
  };
}

/** What a model said. */
export function modelAnswer(said: { text?: string; requests?: ToolRequest[] } & Partial<ModelAnswer>): ModelAnswer {
  const { text, requests = [], ...more } = said;
  return {
    type: requests.length > 0 ? 'tool_call' : 'text',
    parts: text === undefined ? [] : [{ type: 'text', text }],
    toolRequests: requests,
    finishReason: requests.length > 0 ? 'tool_calls' : 'stop',
    usage: { prompt: 10, completion: 5 },
    executionUnits: 15,
    model: 'scripted',
    ...more,
  };
}
