import type { FactBody } from '../../../agent/protocol/facts/fact';
import type { Manifest } from '../../../agent/protocol/manifest';
import type { AgentState } from '../../../agent/state/state';
import { type StepInput, step } from '../../../workflows/state/reduce';
import { runState } from '../state-data';

/** The state of a run after these inputs, and the facts that they produced. */
export function fold(state: AgentState, ...inputs: StepInput[]): { state: AgentState; facts: FactBody[] } {
  const facts: FactBody[] = [];
  let run = state;
  for (const input of inputs) {
    const next = step(run, input);
    run = next.state;
    facts.push(...next.facts);
  }
  return { state: run, facts };
}

/** A run just before its first model call, with these fields in its manifest. */
export function withManifest(agent: Partial<Manifest>, more: Partial<AgentState> = {}): AgentState {
  const state = runState([], more);
  if (state.manifest === undefined) throw new Error('no manifest');
  return { ...state, manifest: { ...state.manifest, ...agent } };
}
