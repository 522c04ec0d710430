import { visibleName } from '../../agent/values/visible';

/** Why an agent that works for a run does not go on, for readers of that run. */
export function agentBelowText({ id, agent }: { id: string; agent: string }, problem: string): string {
  return `The agent \`${visibleName(agent)}\` works for this run, in the run \`${visibleName(id)}\`, and is held up. ${problem}`;
}
