import type { AgentTestEnvironment } from 'holdfast/testing';
import { failedTasks } from '../../determinism/replays';
import type { Played } from './play';

/** What is wrong with a run and its histories. */
export async function problemsOf(kit: AgentTestEnvironment, { id, facts, end }: Played): Promise<string[]> {
  const problems = (await kit.histories({ id })).flatMap(failedTasks);
  const last = facts.at(-1);
  if (end === 'stuck') {
    problems.push(`it waits after ${JSON.stringify(facts.slice(-3))}`);
  } else {
    if (end.startsWith('no HoldfastError')) problems.push(end);
    if (last?.type !== 'loop.end' || !last.reason) problems.push(`its last fact is ${JSON.stringify(last)}`);
    if ((end === 'result') !== (last?.type === 'loop.end' && last.reason === 'completed'))
      problems.push(`it ended with ${end}, and its last fact is ${JSON.stringify(last)}`);
  }
  const gap = facts.findIndex(({ seq }, i) => seq !== i + 1);
  if (gap !== -1) problems.push(`fact ${gap + 1} has the number ${facts[gap]?.seq}`);
  await kit.replay({ id }).catch(({ message }: Error) => problems.push(`it does not replay: ${message.slice(0, 500)}`));
  return problems;
}
