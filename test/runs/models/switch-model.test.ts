import { defineAgent, defineTool } from 'holdfast';
import { call, fault, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../../facts';
import { newGate } from '../../gate';
import { until } from '../../until';
import { stageOfModels } from './models-stage';

const pay = defineTool({
  description: 'Pay',
  approval: 'always',
  inputSchema: z.object({}),
  execute: () => 'paid',
});
const plain = defineAgent({ name: 'switch.plain', model: 'first' });
const chain = defineAgent({ name: 'switch.chain', model: ['first', 'second'] });
const payer = defineAgent({ name: 'switch.payer', model: 'first', tools: { pay } });
const chat = defineAgent({ name: 'switch.chat', model: ['first', 'second'], mode: 'conversation' });

const { servers, kit } = stageOfModels({ names: ['first', 'second', 'spare'], agents: [plain, chain, payer, chat] });
const { first, second, spare } = servers;

/** The server asks for a wait of an hour, and the run waits from the first failure on. */
const anHour = fault({ kind: 'status', status: 429, headers: { 'retry-after': '3600' } });
/** As above, where another model follows: the server asks for less than the run is patient. */
const aMinute = fault({ kind: 'status', status: 429, headers: { 'retry-after': '90' } });

type Asked = { state(): Promise<{ outage?: { nextAt?: number } }> };
const waits = (run: Asked) =>
  until(async () => (await run.state()).outage?.nextAt !== undefined, 'the run to wait for its model');

test('during an outage the wait ends at once, and any model of the worker can be used', async () => {
  first.script(anHour);
  spare.script(text('From the spare.'));
  const run = await kit().start(plain, { input: 'go' });
  await waits(run);
  expect(await run.switchModel('spare', { by: 'ann' })).toEqual({ from: 'first', to: 'spare', changed: true });
  expect((await run.result()).data).toBe('From the spare.');
  expect(await factsOf(run, 'model.switched')).toMatchObject([
    { turn: 1, from: 'first', to: 'spare', why: 'chosen', by: 'ann' },
  ]);
  expect(await run.state()).toMatchObject({ turn: 1, models: ['spare'], model: 0, toolInteractions: { current: 1 } });
  expect(first.requests).toHaveLength(1);
  await kit().replay(run);
});

test('a wrong alias is refused with the known names, and the run still waits', async () => {
  first.script(anHour, text('Back.'));
  const run = await kit().start(plain, { input: 'go' });
  await waits(run);
  await expect(run.switchModel('spear')).rejects.toMatchObject({
    type: 'UnknownModel',
    data: { alias: 'spear', known: expect.arrayContaining(['first', 'second', 'spare']) },
  });
  await kit().temporal.client.workflow.getHandle(run.id).signal('switchModel', { model: 'spear' });
  await until(async () => (await run.state()).ignored.UnknownModel === 1, 'the signal to be counted');
  expect((await run.state()).outage?.nextAt).toBeDefined();
  // It does not fail for it: the choice was never made.
  await run.retry();
  expect((await run.result()).data).toBe('Back.');
  expect(await factsOf(run, 'model.switched')).toEqual([]);
  await kit().replay(run);
});

test('a model in use is accepted and changes nothing; a signal switches as an update does', async () => {
  first.script(anHour);
  second.script(text('From the second.'));
  const run = await kit().start(plain, { input: 'go' });
  await waits(run);
  expect(await run.switchModel('first')).toEqual({ from: 'first', to: 'first', changed: false });
  expect((await run.state()).outage?.nextAt).toBeDefined();
  await kit().temporal.client.workflow.getHandle(run.id).signal('switchModel', { model: 'second', by: 'ann' });
  expect((await run.result()).data).toBe('From the second.');
  await kit().replay(run);
});

test('a call in progress is finished, and the next one uses the model, for the rest of the run', async () => {
  const { open, opened } = newGate();
  first.script(async () => {
    await opened;
    return text('From the first.');
  });
  second.script(text('From the second.'), text('Again.'));
  const run = kit().conversation(chat, { id: 'in-progress' });
  const one = await run.send('Hello?');
  await first.request(1);
  expect(await run.switchModel('second')).toMatchObject({ changed: true });
  open();
  expect((await run.answerTo(one)).data).toBe('From the first.');
  expect((await run.answerTo(await run.send('And?'))).data).toBe('From the second.');
  expect((await run.answerTo(await run.send('And?'))).data).toBe('Again.');
  await run.close();
  await run.result();
  await kit().replay(run);
});

test('a model that took over in one exchange stays for the next ones when a person chooses it', async () => {
  const { open, opened } = newGate();
  first.script(fault({ kind: 'status', status: 404 }));
  second.script(async () => {
    await opened;
    return text('From the second.');
  }, text('Again.'));
  const run = kit().conversation(chat, { id: 'kept' });
  const one = await run.send('Hello?');
  await second.request(1);
  expect(await run.switchModel('second')).toMatchObject({ changed: false });
  open();
  await run.answerTo(one);
  expect((await run.answerTo(await run.send('And?'))).data).toBe('Again.');
  await run.close();
  await run.result();
  await kit().replay(run);
});

test('a call in progress that fails is not waited for: the chosen model takes over at once', async () => {
  const { open, opened } = newGate();
  first.script(async () => {
    await opened;
    return { fault: { kind: 'status', status: 401 } };
  });
  spare.script(text('From the spare.'));
  const run = await kit().start(plain, { input: 'go' });
  await first.request(1);
  await run.switchModel('spare');
  open();
  expect((await run.result()).data).toBe('From the spare.');
  expect(await factsOf(run, 'model.switched')).toMatchObject([{ from: 'first', to: 'spare', why: 'chosen' }]);
  await kit().replay(run);
});

test('while the run waits for a person, the model is switched for what follows', async () => {
  first.script(call('pay'));
  spare.script(text('Paid, says the spare.'));
  const run = await kit().start(payer, { input: 'go' });
  const { approvals } = await run.waiting({ atLeast: { approvals: 1 } });
  await run.switchModel('spare');
  await run.approve(approvals[0], { by: 'ann' });
  expect((await run.result()).data).toBe('Paid, says the spare.');
  await kit().replay(run);
});

test('the rest of the chain is behind the choice', async () => {
  first.script(aMinute);
  spare.script(fault({ kind: 'status', status: 404 }));
  second.script(text('From the second.'));
  const run = await kit().start(chain, { input: 'go' });
  await waits(run);
  await run.switchModel('spare');
  expect((await run.result()).data).toBe('From the second.');
  expect(await factsOf(run, 'model.switched')).toMatchObject([
    { from: 'first', to: 'spare', why: 'chosen' },
    { from: 'spare', to: 'second', why: 'failed', error: { type: 'ModelNotFound' } },
  ]);
  await kit().replay(run);
});

test('a choice that comes before the agent is known waits for it', async () => {
  first.script(text('From the first.'));
  second.script(text('From the second.'), text('From the second.'));
  const id = 'early';
  await kit().temporal.client.workflow.signalWithStart('switch.chat', {
    workflowId: id,
    taskQueue: kit().taskQueue,
    args: [{ input: 'go' }],
    signal: 'switchModel',
    signalArgs: [{ model: 'second', by: 'ann' }],
  });
  const run = kit().client.get<unknown, 'conversation'>(id);
  // The first call may have begun before the choice was checked.
  await run.answerTo({ exchange: 1 });
  expect((await run.answerTo(await run.send('And?'))).data).toBe('From the second.');
  await run.close();
  await run.result();
  expect(await factsOf(run, 'model.switched')).toMatchObject([{ from: 'first', to: 'second', by: 'ann' }]);
  await kit().replay(run);
});

test('a run that has ended is not switched', async () => {
  first.script(text('Done.'));
  const run = await kit().start(plain, { input: 'go' });
  await run.result();
  await expect(run.switchModel('second')).rejects.toMatchObject({ type: 'RunEnded' });
});
