import { type Agent, defineAgent, defineTool } from 'holdfast';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import type { Finding } from '../../../../cli/doctor/finding';
import { checkOpenRuns } from '../../../../cli/doctor/runs/open-runs';
import { until } from '../../../until';

const deskWith = (inputSchema: z.ZodType) =>
  defineAgent({
    name: 'open.desk',
    mode: 'conversation',
    tools: { pay: defineTool({ description: 'x', inputSchema, execute: () => 'paid' }) },
  });
const before = deskWith(z.object({ amount: z.number() }));
const now = deskWith(z.object({ amount: z.number(), currency: z.string() }));
const gone = defineAgent({ name: 'open.gone', mode: 'conversation' });

const agents: Agent[] = [before as Agent, gone as Agent];
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents, server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

async function told(max?: number): Promise<Finding[]> {
  const found: Finding[] = [];
  await checkOpenRuns((finding) => found.push(finding), kit.client.temporal, {
    taskQueue: kit.taskQueue,
    code: { agents, models: ['default'], outlets: [] },
    ...(max === undefined ? {} : { max }),
  });
  return found;
}

test('open runs that the code fits are counted; those that it does not fit are named, with what will happen', async () => {
  kit.model.script(text('one'), text('two'), text('three'));
  const run = kit.conversation('open.desk', { id: 'desk-1', input: null });
  await run.answerTo(await run.send('hello'));
  const other = kit.conversation('open.gone', { id: 'gone-1', input: null });
  await other.answerTo(await other.send('hello'));
  // Its manifest is in the history before, and is read again.
  const first = (await run.workflow.describe()).runId;
  await run.continueAsNew();
  await until(async () => (await run.workflow.describe()).runId !== first, 'the new history');
  await run.answerTo(await run.send('still there?'));
  await kit.client.temporal.workflow.start('open.other', { taskQueue: 'other', workflowId: 'other', args: [] });
  await until(async () => (await kit.client.sessions({})).length === 3, 'the runs to be listed');
  expect(await told()).toEqual([
    { state: 'ok', what: 'open runs', found: '2 looked at: this version fits what they have pinned' },
  ]);

  agents.splice(0, 2, now as Agent);
  const differs: Finding[] = [
    {
      state: 'missing',
      what: 'open.gone',
      found:
        '1 run (gone-1): the agent `open.gone` is gone: after a minute of trying its next exchange fails with UnknownAgent',
      todo: 'keep the agent until these runs have ended, or cancel them',
    },
    {
      state: 'note',
      what: 'open.desk',
      found:
        '1 run (desk-1): the tool `pay` takes less than the run tells its model (`currency` is required): a call may fail with InvalidArguments',
      todo: 'take the old arguments, too, or give the tool a new name',
    },
  ];
  const [summary, ...rest] = await told();
  expect(summary).toEqual({
    state: 'note',
    what: 'open runs',
    found: '2 looked at: this version does not fit all of them',
  });
  expect(rest).toEqual(expect.arrayContaining(differs));
  expect(rest).toHaveLength(2);
  expect((await told(1))[0]?.found).toMatch(/^the newest 1 looked at/);

  // What the worker does with the difference.
  await kit.stopWorker();
  await kit.startWorker();
  kit.model.reset();
  kit.model.script(call('pay', { amount: 5 }), text('sorry'));
  await run.answerTo(await run.send('pay'));
  expect(JSON.stringify(kit.model.requests.at(-1)?.body.messages)).toContain('currency');
  expect((await run.state()).status).toBe('running');
});
