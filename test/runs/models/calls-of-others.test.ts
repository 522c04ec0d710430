import { defineAgent, defineTool } from 'holdfast';
import { calls, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { stageOfModels } from './models-stage';

let paid = 0;
const pay = defineTool({
  description: 'Pay',
  effect: 'once',
  inputSchema: z.object({ to: z.string() }),
  execute: ({ to }) => {
    paid++;
    return `paid ${to}`;
  },
});
const chain = defineAgent({ name: 'others.chain', model: ['first', 'strict'], tools: { pay } });

const { servers, kit } = stageOfModels({ names: ['first', 'strict'], agents: [chain], config: { patience: 1 } });
const { first, strict } = servers;

const status = (code: number, message: string) => fault({ kind: 'status', status: code, message });

test('a model that wants the thought of each call takes over after the calls of another one', async () => {
  first.script(calls(['pay', { to: 'ann' }], ['pay', { to: 'bob' }]), status(401, 'the key has expired'));
  strict.script(
    status(400, 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2'),
    { ...calls(['pay', { to: 'cem' }]), reasoning: 'One more.' },
    text('Paid.'),
  );
  const run = await kit().start(chain, { input: 'go' });
  expect((await run.result()).data).toBe('Paid.');
  expect(paid).toBe(3);
  expect(strict.requests.at(-1)?.body.messages.slice(-6)).toMatchObject([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '[called pay with {"to":"ann"}][called pay with {"to":"bob"}]' },
    { role: 'user', content: '[result of pay]\npaid ann' },
    { role: 'user', content: '[result of pay]\npaid bob' },
    { role: 'assistant', reasoning_content: 'One more.', tool_calls: [{ function: { name: 'pay' } }] },
    { role: 'tool', content: 'paid cem' },
  ]);
  // The refused request does not count.
  expect((await run.state()).calls.model).toBe(3);
  await kit().replay(run);
});
