import type { CallState, RunState } from '../../agent/state/run-state';
import type { AgentState, BatchCall } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { mayBeUndone } from '../state/selectors/effects';
import { modelChain } from '../state/selectors/model-in-use';
import { endOf, outageOf } from '../state/selectors/phase';
import { waitOf } from '../state/selectors/wait-of';

/** What the state query answers: named one by one, so that nothing internal becomes public by itself. */
export function runStateOf(state: AgentState): RunState {
  const { id, agent, chainId, metadata, exchange, turn, toolInteractions, toolTypeCounts, facts, model } = state;
  const { unknownOutcomes, grants, usage, executionUnits, ignored, manifest, messages, inbox, phase } = state;
  const { owner, title, closing, budget, delegatedBy, initiator, parentSubject, traceparent, unknownSignals, cost } =
    state;
  const end = endOf(state);
  return {
    ...{ id, agent, chainId, metadata, exchange, turn, toolInteractions, toolTypeCounts, facts, model },
    ...{ unknownOutcomes, grants, usage, executionUnits, ignored },
    ...defined({ owner, title, closing, budget, delegatedBy, initiator, parentSubject, traceparent, unknownSignals }),
    ...defined({ end, cost, outage: outageOf(state) }),
    mode: manifest?.mode ?? 'task',
    status: end?.reason ?? 'running',
    idle: phase.at === 'idle',
    queued: inbox.length,
    messages: messages.length,
    models: modelChain(state),
    tools: manifest?.tools.map(({ name }) => name) ?? [],
    batch: state.batch.map(callState),
    undoable: mayBeUndone(state.effects).map(({ toolUseId, name }) => ({ toolUseId, tool: name })),
  };
}

function callState(call: BatchCall): CallState {
  const { toolUseId, name, input, hash, status } = call;
  const problem = call.status === 'rejected' ? call.problem : undefined;
  return { toolUseId, name, input, hash, status, ...defined({ waits: waitOf(call)?.for, problem }) };
}
