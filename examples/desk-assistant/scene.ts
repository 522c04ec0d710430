import type { AgentClient, RunHandle } from 'holdfast/client';
import { follow } from '../show/follow';
import { line, lineOf } from '../show/line-of';
import { assistant } from './agents';
import { ann, WISH } from './ann';
import { listFolder } from './folder';

/** Ann talks with the assistant about a folder. Prints each step as a line. */
export async function play(
  client: AgentClient,
  folder: string,
  print: (line: string) => void,
): Promise<RunHandle<string>> {
  const look = async () => print(line('folder', await listFolder(folder)));
  await look();
  print(line('ann', `“ ${WISH}`));
  const run = client.conversation(assistant, { id: 'desk-1', owner: 'ann' });
  await run.send(WISH, { by: 'ann' });
  const react = ann(run, (what) => print(line('ann', what)));
  await follow(client, 'desk', run.id, async (who, fact) => {
    const told = lineOf(who, fact);
    if (told !== undefined) print(told);
    if (fact.type === 'undo.done' || (fact.type === 'exchange.end' && fact.exchange === 1)) await look();
    await react(fact);
  });
  return run;
}
