import { pinnedVersion } from '../../agent/protocol/pinned-version';
import type { BatchCall } from '../../agent/state/batch';
import type { CallState, RunState } from '../../agent/state/run-state';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { mayBeUndone, undoneWith } from '../state/selectors/effects';
import { modelChain } from '../state/selectors/model-in-use';
import { endOf, outageOf } from '../state/selectors/phase';
import { reportOf, spentByRun } from '../state/selectors/spent';
import { toolsOnOffer } from '../state/selectors/tool-filter';
import { waitOf } from '../state/selectors/wait-of';
import { budgetView } from './budget-view';
import { unreadMessages } from './unread';

/** What the state query answers: named one by one, so that nothing internal becomes public by itself. */
export function runStateOf(state: AgentState): RunState {
  const { id, agent, chainId, metadata, exchange, turn, toolInteractions, toolTypeCounts, facts, model } = state;
  const { unknownOutcomes, grants, ignored, manifest, messages, inbox, phase } = state;
  const { owner, title, closing, budget, delegatedBy, initiator, parentSubject, traceparent, unknownSignals } = state;
  const end = endOf(state);
  return {
    ...{ id, agent, chainId, metadata, exchange, turn, toolInteractions, toolTypeCounts, facts, model },
    ...{ unknownOutcomes, grants, ignored },
    ...spentByRun(state),
    calls: reportOf(state).calls,
    ...defined({ owner, title, closing, budget, delegatedBy, initiator, parentSubject, traceparent, unknownSignals }),
    ...defined({ end, outage: outageOf(state), budgets: budgetView(state, Date.now()) }),
    ...defined({ version: manifest && pinnedVersion(manifest) }),
    mode: manifest?.mode ?? 'task',
    status: end?.reason ?? 'running',
    idle: phase.at === 'idle',
    queued: inbox.length,
    unread: unreadMessages(state),
    messages: messages.length,
    models: modelChain(state),
    tools: manifest?.tools.map(({ name }) => name) ?? [],
    ...defined({ toolsOffered: toolsOffered(state) }),
    batch: state.batch.map(callState),
    undoable: mayBeUndone(state.effects).map(({ toolUseId, name }) => ({ toolUseId, tool: name })),
    undone: undoneWith('done', state.effects).map(toolNamed),
    undoUnknown: undoneWith('unknown', state.effects).map(toolNamed),
  };
}

function toolNamed<Call extends { name: string }>({ name, ...rest }: Call): Omit<Call, 'name'> & { tool: string } {
  return { ...rest, tool: name };
}

function toolsOffered(state: AgentState): RunState['toolsOffered'] {
  if (state.offered === undefined) return undefined;
  const { hidden, saved } = state.offered;
  return { tools: toolsOnOffer(state), hidden, saved };
}

function callState(call: BatchCall): CallState {
  const { toolUseId, name, input, hash, status } = call;
  const problem = call.status === 'rejected' ? call.problem : undefined;
  return { toolUseId, name, input, hash, status, ...defined({ waits: waitOf(call)?.for, problem }) };
}
