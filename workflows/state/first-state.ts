import { budgetSpec } from '../../agent/budget/budget';
import { NO_USAGE } from '../../agent/model/cost/usage';
import { EMPTY_HASH } from '../../agent/model/transcript';
import { PARENT_SUBJECT, type ServiceEvent } from '../../agent/protocol/event';
import type { RunInput } from '../../agent/protocol/run';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { isJsonObject } from '../../agent/values/json';
import { readLineage } from '../run/lineage';

type Begun = Pick<AgentState, 'input' | 'metadata'> &
  Partial<
    Pick<
      AgentState,
      'owner' | 'delegatedBy' | 'givenBudget' | 'above' | 'traceparent' | 'initiator' | 'parentSubject' | 'asksVersion'
    >
  >;

/** What a run knows from its first argument; `lineage` is that of its memo. */
export function withInput(
  { input = null, owner, metadata = {}, delegatedBy, traceparent, event, budget, version }: RunInput,
  lineage?: string,
): Begun {
  const data = event === undefined ? input : event.data;
  const subject = isJsonObject(data) ? data[PARENT_SUBJECT] : undefined;
  const above = readLineage(event?.holdfastlineage ?? lineage);
  return {
    input: data,
    metadata,
    ...defined({ owner, delegatedBy, givenBudget: budget && budgetSpec(budget) }),
    ...(above.length === 0 ? {} : { above }),
    ...defined({ traceparent, initiator: event && withoutData(event), asksVersion: version }),
    ...(typeof subject === 'string' ? { parentSubject: subject } : {}),
  };
}

function withoutData({ data: _, ...initiator }: ServiceEvent): Begun['initiator'] {
  return initiator;
}

/** A run that knows only its names. */
export function newState(names: Pick<AgentState, 'id' | 'agent' | 'chainId'>): AgentState {
  return {
    version: 1,
    ...names,
    phase: { at: 'starting' },
    input: null,
    metadata: {},
    epoch: 0,
    exchange: 1,
    opened: -1,
    inbox: [],
    steers: [],
    notes: [],
    taken: {},
    lifecycle: 'init',
    turn: 0,
    toolInteractions: { current: 0, max: 0 },
    model: 0,
    concluding: false,
    messages: [],
    sent: { epoch: 0, length: 0, hash: EMPTY_HASH },
    batch: [],
    toolTypeCounts: {},
    unknownOutcomes: [],
    decided: {},
    replied: {},
    effects: [],
    trimming: { from: 0 },
    grants: [],
    ignored: {},
    usage: NO_USAGE,
    executionUnits: 0,
    calls: { model: 0, tool: 0 },
    facts: 0,
    chain: [],
    continued: 0,
  };
}
