import type { FactBody } from '../../../agent/protocol/fact';
import type { Manifest } from '../../../agent/protocol/manifest';
import type { AgentState } from '../../../agent/state/state';
import { type StepInput, step } from '../../../workflows/state/reduce';
import { runState } from '../state-data';

/** A run after all that happened to it, and all that was told of that. */
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

/** A run that stands before its first model call, whose agent is like this. */
export function withManifest(agent: Partial<Manifest>, more: Partial<AgentState> = {}): AgentState {
  const state = runState([], more);
  if (state.manifest === undefined) throw new Error('no manifest');
  return { ...state, manifest: { ...state.manifest, ...agent } };
}
