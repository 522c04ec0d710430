import type { ContextWindow } from '../../../agent/model/context-window';
import type { Spending } from '../../../agent/model/cost/spending';
import { wrapUp } from '../../../agent/prompts/compaction';
import type { Compacted, CompactionMethod, CompactRequest } from '../../../agent/protocol/calls/compaction';
import type { MeasuredCall, PartialAnswer } from '../../../agent/protocol/calls/model-call';
import type { CallSections } from '../../../agent/protocol/calls/sent-sections';
import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { AgentState } from '../../../agent/state/state';
import { defined } from '../../../agent/values/defined';
import { append, type Reducers, type Step, userText } from './append';
import { spent } from './model/spent';

/** Inputs about the context window. */
export type ContextInput =
  | ({ type: 'measured' } & MeasuredCall)
  | { type: 'prompted'; sections: CallSections }
  | { type: 'tooLong'; partial: PartialAnswer & { trimming: ContextWindow } }
  | { type: 'nearlyFull'; left: number }
  /** The call that had to conclude is made by a model that may have room for more. */
  | { type: 'goesOn' }
  | { type: 'compactAsked'; request: CompactRequest }
  | { type: 'compacting'; method: CompactionMethod }
  | { type: 'compacted'; method: CompactionMethod; result: Compacted; model?: string }
  | { type: 'notCompacted'; error?: { type: string; message: string } }
  | { type: 'spentOnSummary'; spent: Spending & { model: string } };

/** Reducers for the context window. */
export const contextReducers: Reducers<ContextInput> = {
  measured,
  prompted,
  tooLong: (state, { partial }) => {
    // Most refusals have no usage to count.
    const paid = partial.usage.prompt > 0 ? spent(state, partial) : { state, facts: [] };
    return { state: { ...paid.state, trimming: partial.trimming }, facts: paid.facts };
  },
  nearlyFull: (state, { left }) => {
    const { current, max } = state.toolInteractions;
    const next = {
      ...state,
      concluding: 'window' as const,
      toolInteractions: { current: Math.max(0, current - 1), max },
    };
    const { turn } = state;
    return append(next, [userText(wrapUp(), turn - 1)], [{ type: 'context.full', turn, left }]);
  },
  goesOn: (state) => {
    const { current, max } = state.toolInteractions;
    const next = { ...state, notes: [], toolInteractions: { current: current + 1, max } };
    return append(next, [userText(state.notes.join('\n'), state.turn - 1)]);
  },
  compactAsked: (state, { request }) => ({
    state: { ...state, compaction: { tried: state.compaction?.tried ?? 0, asked: request } },
    facts: [],
  }),
  compacting: (state, { method }) => {
    const { by } = state.compaction?.asked ?? {};
    return { state, facts: [{ type: 'context.compacting', turn: state.turn, method, ...defined({ by }) }] };
  },
  compacted,
  notCompacted: (state, { error }) => ({
    state: tried(state),
    facts: error === undefined ? [] : [{ type: 'context.summary.failed', turn: state.turn, error }],
  }),
  spentOnSummary: (state, { spent: cost }) => spent(state, cost, { for: 'summary' }),
};

/** Records how much of the window the call used, and which part of the transcript the next one sends. */
function measured(state: AgentState, { budget, trimming }: MeasuredCall): Step {
  const facts: FactBody[] = [];
  if (trimming.from > state.trimming.from)
    facts.push({ type: 'context.trimmed', turn: budget.turn, from: trimming.from });
  facts.push({ type: 'budget.context', ...budget });
  return { state: { ...state, budget, trimming }, facts };
}

/** Notes which sections the call had, and which were left out of it. */
function prompted(state: AgentState, { sections: { hash, names, leftOut = [] } }: { sections: CallSections }): Step {
  const { turn } = state;
  const failed = leftOut.map(
    ({ name, error }): FactBody => ({ type: 'prompt.section.failed', turn, section: name, error }),
  );
  const told: FactBody[] = names.length === 0 ? [] : [{ type: 'prompt.sections', turn, hash, sections: names }];
  return { state: { ...state, sections: hash }, facts: [...told, ...failed] };
}

function compacted(state: AgentState, { method, result, model }: Extract<ContextInput, { type: 'compacted' }>): Step {
  const { budget, trimming, tokens, summary } = result;
  const fact: FactBody = {
    type: 'context.compacted',
    turn: state.turn,
    method,
    from: method === 'tool-results' ? (trimming.shortened ?? 0) : trimming.from,
    tokens,
    ...defined({ summary: summary?.text, model }),
  };
  return { state: { ...tried(state), budget, trimming, ...defined({ summary }) }, facts: [fact] };
}

/** The request is settled, and the next compaction waits until the transcript has grown. */
function tried(state: AgentState): AgentState {
  return { ...state, compaction: { tried: state.messages.length } };
}
