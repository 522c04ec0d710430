import { proxySinks, type Sinks, workflowInfo } from '@temporalio/workflow';
import type { Fact } from '../../agent/protocol/facts/fact';
import type { Observed, RunSpan } from '../../agent/protocol/span';
import { callerOf, traceparentOf } from '../../agent/protocol/trace';
import type { AgentState } from '../../agent/state/state';
import { defined } from '../../agent/values/defined';
import { endOf } from '../state/selectors/phase';
import { abandonedSpans, callSpans } from './call-spans';

/** How a run reports to its worker. A worker without such a sink sees only what Temporal logs. */
export interface ObserverSinks extends Sinks {
  holdfast: { observe(what: Observed): void };
}

const { holdfast } = proxySinks<ObserverSinks>();

/**
 * Reports what happens in a run to its worker, if the worker listens. Each span is reported complete, when it ends, so
 * that the worker that has the run then can make it. Replays rebuild the data kept here, and report nothing.
 */
export class Observer {
  /** The start of the turn in progress. A turn never spans a continue-as-new. */
  #turnBegan: Extract<Fact, { type: 'loop.iteration' }> | undefined;

  /** Called after each change with the number of its facts. `acted`: a batch was in progress before the change. */
  note(run: { readonly state: AgentState; readonly facts: readonly Fact[] }, count: number, acted: boolean): void {
    const { state } = run;
    const { manifest, delegatedBy } = state;
    if (manifest?.traced !== true && manifest?.observed !== true) return;
    const facts = count === 0 ? [] : run.facts.slice(-count);
    const spans = manifest.traced ? this.#spans(state, facts, acted) : [];
    if ((facts.length === 0 || !manifest.observed) && spans.length === 0) return;
    const traceparent = manifest.traced ? traceparentOf(state) : undefined;
    holdfast.observe({
      ...defined({ traceparent, delegatedBy }),
      facts: manifest.observed ? facts : [],
      spans,
    });
  }

  #spans(state: AgentState, facts: readonly Fact[], acted: boolean): RunSpan[] {
    const spans = facts.flatMap((fact) => callSpans(state, fact));
    for (const fact of facts) {
      if (fact.type === 'loop.iteration') {
        // A turn that a person interrupted has no end of its own.
        spans.push(...this.#endTurn(fact.time));
        this.#turnBegan = fact;
      }
      if (fact.type === 'output.rejected' || fact.type === 'answer.nudged') spans.push(...this.#endTurn(fact.time));
      if (fact.type === 'exchange.end') spans.push(...this.#endTurn(fact.time, fact.error));
      if (fact.type === 'loop.end') {
        spans.push(...abandonedSpans(state, fact), ...this.#endTurn(fact.time, fact.error), runSpan(state, fact));
      }
    }
    if (acted && state.batch.length === 0) spans.push(...this.#endTurn(Date.now()));
    return spans;
  }

  #endTurn(end: number, error?: RunSpan['error']): RunSpan[] {
    const began = this.#turnBegan;
    if (began === undefined) return [];
    this.#turnBegan = undefined;
    const { turn, lifecycle, time: start } = began;
    return [{ kind: 'CHAIN', turn, lifecycle, start, end, ...defined({ error }) }];
  }
}

/** Only what the run itself used: its child agents have spans of their own. */
function runSpan(state: AgentState, { time, reason, turns, error }: EndFact): RunSpan {
  const { owner, input, usage, executionUnits } = state;
  const caller = callerOf(state);
  return {
    kind: 'AGENT',
    // The start of the whole chain.
    start: workflowInfo().startTime.getTime(),
    end: time,
    reason,
    turns,
    usage,
    executionUnits,
    input,
    ...defined({ caller, owner }),
    ...defined({ output: endOf(state)?.data }),
    ...defined({ error }),
  };
}

type EndFact = Extract<Fact, { type: 'loop.end' }>;
