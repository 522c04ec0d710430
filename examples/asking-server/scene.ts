import type { Fact } from 'holdfast';
import type { AgentClient, RunHandle } from 'holdfast/client';
import { line, lineOf } from '../show/line-of';
import { office } from './agents';

export const WISH = 'We are eight on Friday and need a room.';

/** Stops the worker and the MCP server, starts both again, and returns a client to continue with. */
export type Restart = () => Promise<AgentClient>;

/** Books a room, with a night between the first question and its answer. Prints each step as a line. */
export async function play(
  client: AgentClient,
  restart: Restart,
  print: (line: string) => void,
): Promise<RunHandle<string>> {
  print(line('ann', `“ ${WISH}`));
  const { id } = await client.start(office, { input: { wish: WISH }, owner: 'ann' });
  let last = await upToQuestion(client.get(id), 0, print);

  print(line('evening', '▼ the worker and the MCP server are stopped'));
  const run = (await restart()).get<string>(id);
  print(line('morning', '▲ they are started again'));

  const {
    questions: [asked],
  } = await run.waiting({ atLeast: { questions: 1 } });
  print(line('office', `? still waits: ${asked.question}`));
  for (const answer of [{ room: 'Birch', people: 8 }, { room: 'Oak', people: 8 }, 'yes']) {
    await run.answer((await run.waiting({ atLeast: { questions: 1 } })).questions[0], answer, { by: 'ann' });
    last = await upToQuestion(run, last, print);
  }
  return run;
}

/** Prints facts until the run asks a question or ends. Returns the number of the last fact. */
async function upToQuestion(run: RunHandle, after: number, print: (line: string) => void): Promise<Fact['seq']> {
  let last = after;
  for await (const fact of run.facts({ after })) {
    last = fact.seq;
    const told = lineOf('office', fact);
    if (told !== undefined) print(told);
    if (fact.type === 'question.asked') break;
  }
  return last;
}
