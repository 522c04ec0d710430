import { defineAgent, defineTool } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { rename } from '../../../cli/runs/session';
import { openWorker } from '../../approvals-cache/second-worker';
import { waitForFact } from '../../facts';
import { newGate } from '../../gate';
import { until } from '../../until';
import { holdfastAt, type Printed } from '../at-terminal';
import { type Project, projectOf } from '../project';

const place = defineTool({
  description: 'Place a thing',
  inputSchema: z.object({ what: z.string() }),
  execute: ({ what }) => what,
  undo: ({ what }) => {
    if (what === 'glass') throw new Error('it is broken');
    return `took the ${what} back`;
  },
});
const desk = defineAgent({ name: 'steering.desk', mode: 'conversation', instructions: 'Help.', tools: { place } });
const other = defineAgent({ name: 'steering.other', model: 'other' });

let kit: AgentTestEnvironment;
let project: Project;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [desk, other], server: 'dev' });
  project = projectOf(kit);
});
afterAll(async () => {
  await kit.close();
  project.remove();
});
beforeEach(() => kit.model.reset());

const holdfast = (...args: string[]): Promise<Printed> => holdfastAt('pipe', '--config', project.config, ...args);

/** Has the model wait with its next answer. */
function slowly(answer: string): () => void {
  const { open, opened } = newGate();
  kit.model.script(async () => {
    await opened;
    return text(answer);
  });
  return open;
}

const done = (out: string): Printed => ({ code: 0, out: `${out}\n`, err: '' });

test('a conversation is directed from a script', async () => {
  const chat = kit.conversation(desk, { id: 'desk' });
  const sent = () => kit.model.requests.at(-1)?.body.messages.map(({ content }) => content);

  const first = slowly('never read');
  await chat.send('Hello');
  await kit.model.request(1);
  expect(await holdfast('send', 'desk', 'And', 'now?', '--by', 'ann')).toEqual(
    done('sent to desk: exchange 2, after 1 other'),
  );
  expect(await holdfast('interrupt', 'desk', '--by', 'ann')).toEqual(done('exchange 1 of desk is interrupted'));
  first();

  const second = slowly('never read');
  await kit.model.request(2);
  kit.model.script(text('Only this year.'));
  expect(await holdfast('steer', 'desk', 'This year only', '--now')).toEqual(done('sent to desk: exchange 2'));
  await chat.answerTo({ exchange: 2 });
  second();
  expect(sent()).toContain('This year only');

  kit.model.script(text('Once more.'));
  expect(await holdfast('regenerate', 'desk')).toEqual(done('desk answers again: exchange 3'));
  await until(async () => (await chat.state()).idle, 'the new answer');
  expect((await chat.transcript()).at(-1)).toMatchObject({ parts: [{ text: 'Once more.' }] });

  expect(await holdfast('cancel', 'desk')).toEqual(done('desk is being cancelled'));
  await expect(chat.result()).rejects.toMatchObject({ type: 'Cancelled' });
  expect(await holdfast('send', 'desk', 'Hello?')).toMatchObject({ code: 1, err: expect.stringMatching(/has ended/) });
  expect(await holdfast('cancel', 'desk')).toEqual({
    code: 1,
    out: '',
    err: 'The run `desk` had already ended (cancelled): there is nothing to cancel.\n',
  });
  expect(await holdfast('runs', 'nudge', 'desk')).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/`desk` has ended/) },
  });
  expect(await holdfast('runs', 'nudge', 'nowhere')).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/no run `nowhere`/) },
  });
  expect(await holdfast('cancel', 'nowhere')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/no run `nowhere`/),
  });
});

test('the model of a run is switched, and a wrong alias is refused with those that there are', async () => {
  const chat = kit.conversation(desk, { id: 'models' });
  kit.model.script(text('Hello.'), text('Hello, says the other.'));
  await chat.ask('Hello');
  expect(await holdfast('switch-model', 'models', 'other', '--by', 'ann')).toEqual(
    done('models uses the model other in place of default'),
  );
  expect(await holdfast('switch-model', 'models', 'other')).toEqual(done('models uses the model other already'));
  expect(await holdfast('switch-model', 'models', 'othre')).toMatchObject({
    ...{ code: 2, err: expect.stringMatching(/No model has the alias `othre`; known are `default`, `other`/) },
  });
  await chat.ask('And you?');
  expect((await holdfast('show', 'models')).out).toMatch(/^models +other$/m);
  await chat.close();
  await chat.result();
  const { out } = await holdfast('tail', 'models', '--verbose');
  expect(out).toMatch(/model\.switched +other takes over from default, as ann chose/);
});

test('old messages are compacted, now or before the next call; nothing to compact is an error', async () => {
  const chat = kit.conversation(desk, { id: 'full' });
  kit.model.script(text('Hello.'), text('Well.'), text('Goal: small talk'));
  await chat.ask('Hello');
  await chat.ask('And you?');
  expect(await holdfast('compact', 'full')).toMatchObject({
    ...{ code: 1, err: expect.stringMatching(/has nothing to compact: only its last 10 messages/) },
  });
  expect(await holdfast('compact', 'full', '--keep', '2', '--by', 'ann')).toEqual(done('full compacts 2 messages now'));
  await waitForFact(chat, 'context.compacted');
  await chat.close();
  await chat.result();
  const { out } = await holdfast('tail', 'full', '--verbose');
  expect(out).toMatch(/context\.compacting +old messages are being summed up, from ann/);
  expect(out).toMatch(/context\.compacted +a summary is sent in place of the messages before 2: \d+ tokens become \d+/);
});

test('effects are undone by number and by call; one that cannot be undone is told', async () => {
  const chat = kit.conversation(desk, { id: 'undo' });
  kit.model.script(call('place', { what: 'lamp' }), call('place', { what: 'glass' }), text('Both are there.'));
  await chat.ask('Place a lamp and a glass');
  expect(await holdfast('undo', 'undo')).toEqual({
    ...{ code: 1, err: '', out: expect.stringMatching(/^✗ t2\.1 place: .*it is broken.*\n$/) },
  });
  expect(await holdfast('undo', 'undo', 't1.1')).toEqual(done('undone t1.1 place: took the lamp back'));
  expect(await holdfast('undo', 'undo', 'all')).toMatchObject({
    ...{ code: 2, err: expect.stringMatching(/Expected a whole number from 1, or a call, such as t3\.1\./) },
  });
  await chat.cancel();
});

test('while no worker answers, a line says why', async () => {
  const queue = 'steering-late';
  kit.model.script(call('place', { what: 'lamp' }), text('There.'));
  await new AgentClient(kit.temporal.client, { taskQueue: queue }).start(desk, { id: 'late', input: 'go' });
  const printed: string[] = [];
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((line) => {
      printed.push(String(line));
      return true;
    }),
  );
  const renamed = rename('late', ['A', 'lamp'], { config: project.config, by: 'ann' });
  try {
    await until(() => printed.some((line) => line.startsWith('wait  No worker polls')), 'the line');
    const worker = await openWorker(kit, queue, [desk]);
    expect(await renamed).toBe(0);
    expect(printed.filter((line) => line.startsWith('wait'))).toHaveLength(1);
    await kit.client.get('late').cancel();
    await worker.close();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
});
