import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { AgentClient } from 'holdfast/client';

/** Shows each call that waits for a person, in any run, and asks the person at the terminal. */
async function main(by: string, roles: string[]): Promise<void> {
  const client = await AgentClient.connect({ config: join(__dirname, 'temporal.yaml') });
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const asks = (await client.waiting()).approvals;
  if (asks.length === 0) console.log('Nothing waits for a person.');
  for (const ask of asks) {
    const run = client.get(ask.id);
    console.log(
      `${ask.agent} asks ${ask.deciders?.join(' or ') ?? 'anybody'}: ${ask.tool} ${JSON.stringify(ask.input)}`,
    );
    const answer = await terminal.question('[a]pprove, [d]eny, [e]dit, or enter for later? ');
    try {
      if (answer === 'a') await run.approve(ask, { by, roles });
      if (answer === 'd') await run.deny(ask, { by, roles, reason: await terminal.question('Why? ') });
      if (answer === 'e') {
        const input = JSON.parse(await terminal.question('With which arguments (JSON)? '));
        await run.edit(ask, { by, roles, input });
      }
    } catch (error) {
      // Another person was quicker, or this person may not decide. Go on with the next call.
      console.log(error instanceof Error ? error.message : error);
    }
  }
  terminal.close();
  await client.close();
}

const [by = '', ...roles] = process.argv.slice(2);
if (by === '') console.log('Say who you are: npx jiti examples/support-triage/approve.ts ann finance');
else void main(by, roles);
