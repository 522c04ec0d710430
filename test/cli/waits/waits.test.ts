import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineAgent, defineContract, defineTool, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { SEARCH_ATTRIBUTES } from '../../../agent/protocol/search-attributes';
import { inbox } from '../../../cli/inbox/inbox';
import { findWaiting } from '../../../cli/inbox/list';
import { runLines, viewRun } from '../../../cli/show/run';
import { complete } from '../../../cli/waits/complete';
import { followAnswer } from '../../../cli/waits/complete-outcome';
import { approve, deny, edit } from '../../../cli/waits/decide';
import { grants, revoke } from '../../../cli/waits/grants';
import { until } from '../../until';
import { type Project, projectOf } from '../project';
import { said } from '../said';

const ran: unknown[] = [];
const carrier = defineContract({
  type: 'carrier.ask',
  description: 'Asks the carrier',
  versions: {
    '1.0.0': {
      accepts: z.object({ parcel: z.string() }),
      emits: { 'evt.carrier.ask.success': z.object({ where: z.string() }) },
    },
  },
});
const shop = defineAgent({
  name: 'waits.shop',
  tools: {
    refund: defineTool({
      description: 'x',
      inputSchema: z.object({ amount: z.number() }),
      approval: { deciders: ['ann', 'role:finance'] },
      execute: ({ amount }) => {
        ran.push(amount);
        return `refunded ${amount}`;
      },
    }),
  },
  services: { carrier: signalService(carrier, '1.0.0') },
});

let kit: AgentTestEnvironment;
let project: Project;
let config: string;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [shop], server: 'dev' });
  project = projectOf(kit);
  config = project.config;
});
afterAll(async () => {
  await kit.close();
  project.remove();
});
afterEach(() => {
  kit.model.reset();
  ran.length = 0;
});

async function waiting(id: string, ...requests: Parameters<typeof calls>): Promise<RunHandle<string>> {
  kit.model.script(calls(...requests), text('done'));
  const run = await kit.start<typeof shop>('waits.shop', { id, owner: 'bob', input: 'go' });
  await until(async () => {
    const { approvals, services } = await run.waiting();
    return approvals.length + services.length === requests.length;
  }, 'the calls to wait');
  return run as RunHandle<string>;
}

test('`holdfast approve` lets a call run, on behalf of a decider', async () => {
  const run = await waiting('approve', ['refund', { amount: 90 }]);
  await expect(approve(run.id, 't1.1', { config, by: 'zoe' })).rejects.toMatchObject({ type: 'NotADecider' });
  await expect(approve(run.id, 't1.1', { config, by: 'ann', hash: 'other' })).rejects.toMatchObject({
    type: 'ApprovalMismatch',
  });
  expect(await said(() => approve(run.id, 't1.1', { config, by: 'zoe', role: ['finance'], remember: 'run' }))).toEqual({
    code: 0,
    out: 'approved t1.1 of approve by zoe, for the rest of the run\n',
    err: '',
  });
  await run.result();
  expect(ran).toEqual([90]);
  await expect(approve(run.id, 't1.1', { config, by: 'ann' })).rejects.toMatchObject({ type: 'RunEnded' });
});

test('`holdfast edit` runs a call with other valid arguments', async () => {
  const run = await waiting('edit', ['refund', { amount: 90 }]);
  const by = 'ann';
  await expect(edit(run.id, 't1.1', { config, by, input: '{"amount":' })).rejects.toMatchObject({
    type: 'InvalidDecision',
    message: expect.stringContaining('not valid JSON'),
  });
  await expect(edit(run.id, 't1.1', { config, by, input: '[1]' })).rejects.toMatchObject({ type: 'InvalidDecision' });
  await expect(edit(run.id, 't1.1', { config, by, input: '{"amount":"x"}' })).rejects.toMatchObject({
    type: 'InvalidEdit',
  });
  const file = join(project.dir, 'arguments.json');
  writeFileSync(file, '{"amount": 5}');
  expect(await said(() => edit(run.id, 't1.1', { config, by, input: `@${file}`, comment: 'less' }))).toMatchObject({
    code: 0,
    out: 'approved with other arguments t1.1 of edit by ann: less\n',
  });
  await run.result();
  expect(ran).toEqual([5]);
});

test('a denial for all runs of an owner is listed by `holdfast grants` and forgotten by `holdfast revoke`', async () => {
  const run = await waiting('deny', ['refund', { amount: 90 }]);
  expect((await said(() => deny(run.id, 't1.1', { config, by: 'ann', reason: 'no', remember: 'agent' }))).out).toBe(
    'denied t1.1 of deny by ann, for all runs of the agent with the same owner: no\n',
  );
  await run.result();
  expect(ran).toEqual([]);
  expect((await said(() => grants('waits.shop', { config }))).out).toMatch(/^refund +all +bob +denied +ann +20.* no$/m);
  expect(JSON.parse((await said(() => grants('waits.shop', { config, json: true }))).out)).toMatchObject([
    { tool: 'refund', owner: 'bob', allowed: false },
  ]);
  expect((await said(() => revoke('waits.shop', 'refund', { config }))).out).toMatch(/^nothing to forget/);
  expect((await said(() => revoke('waits.shop', 'refund', { config, owner: 'bob' }))).out).toMatch(
    /^forgot the decision/,
  );
  expect((await said(() => grants('waits.shop', { config }))).out).toMatch(/^No decision is remembered/);
});

test('`holdfast complete` answers a call and says whether the run accepted it', async () => {
  const run = await waiting('complete', ['carrier', { parcel: 'P1' }], ['refund', { amount: 1 }]);
  expect(await said(() => complete(run.id, 't1.9', { config, data: '1' }))).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('it waits for no answer of such a call'),
  });
  const data = '{"where": "Kiel"}';
  const taken = { code: 0, out: 'answered t1.1 carrier of complete\n', err: '' };
  expect(await said(() => complete(run.id, 't1.1', { config, data }))).toEqual(taken);
  expect((await said(() => complete(run.id, 't1.1', { config, data }))).err).toMatch(/did not take it: /);
  await run.approve({ toolUseId: 't1.1' }, { by: 'ann' }).catch(() => undefined);
  await run.approve({ toolUseId: 't1.2' }, { by: 'ann' });
  await run.result();
  expect(JSON.stringify(kit.model.requests.at(-1)?.body.messages)).toContain('Kiel');
});

test('`holdfast complete` refuses an answer that breaks the contract, and the call can still be answered', async () => {
  const run = await waiting('contract', ['carrier', { parcel: 'P1' }]);
  const refused = {
    type: 'InvalidEvent',
    message: expect.stringMatching(
      /^The answer of t1\.1 breaks the contract of `carrier`: .*where.*\. It was not sent\.$/,
    ),
  };
  await expect(complete(run.id, 't1.1', { config, data: '{"where": 7}' })).rejects.toMatchObject(refused);
  await expect(complete(run.id, 't1.1', { config, data: '{…}' })).rejects.toMatchObject({
    ...{ type: 'InvalidEvent', message: expect.stringMatching(/^Invalid answer: it is not valid JSON \(.*\)\.$/s) },
  });
  const {
    services: [{ ref }],
  } = await run.waiting({ atLeast: { services: 1 } });
  const event = { specversion: '1.0', id: 'e2', source: 'carrier', subject: run.id, parentid: ref };
  const whole = (type: string, data: object) => JSON.stringify({ ...event, type, data });
  await expect(
    complete(undefined, undefined, { config, event: whole('evt.carrier.ask.success', {}) }),
  ).rejects.toMatchObject(refused);
  await expect(
    complete(undefined, undefined, { config, event: whole('evt.carrier.ask.other', {}) }),
  ).rejects.toMatchObject({ message: expect.stringContaining('is not an answer of the contract') });
  expect(await said(() => complete(run.id, 't1.1', { config, data: '{"where": "Kiel"}' }))).toMatchObject({ code: 0 });
  await run.result();
});

test('`holdfast complete --event` sends a whole event; invalid and ambiguous ones are refused', async () => {
  const run = await waiting('event', ['carrier', { parcel: 'P1' }]);
  const {
    services: [{ ref }],
  } = await run.waiting({ atLeast: { services: 1 } });
  const event = { specversion: '1.0', id: 'e1', source: 'carrier', subject: run.id, parentid: ref };
  const file = join(project.dir, 'event.json');
  writeFileSync(file, JSON.stringify({ ...event, type: 'evt.carrier.ask.success', data: { where: 'Kiel' } }));
  await expect(complete(undefined, undefined, { config, event: '{}' })).rejects.toMatchObject({ type: 'InvalidEvent' });
  for (const [id, call, options] of [
    [run.id, 't1.1', {}],
    [run.id, undefined, { data: '1' }],
    [run.id, 't1.1', { data: '1', error: 'x' }],
    [run.id, 't1.1', { event: `@${file}` }],
  ] as const) {
    expect(await said(() => complete(id, call, { config, ...options }))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: expected `<run> <call>`/),
    });
  }
  expect((await said(() => complete(undefined, undefined, { config, event: `@${file}` }))).out).toBe(
    'answered t1.1 carrier of event\n',
  );
  await run.result();
});

test('an answer that the run refuses after it has taken it is reported as refused', async () => {
  const run = await waiting('unchecked', ['carrier', { parcel: 'P1' }]);
  const send = () => kit.client.completeCall(run.id, 't1.1', { data: { where: 7 } });
  expect(await followAnswer(kit.client.get(run.id), 't1.1', send)).toEqual({
    type: 'refused',
    name: 'carrier',
    problem: expect.stringMatching(/breaks its contract: .*where/),
  });
  await run.result();
});

test('an answer is sent even if no worker can confirm it', async () => {
  const run = await waiting('away', ['carrier', { parcel: 'P1' }]);
  await kit.stopWorker();
  try {
    expect((await said(() => complete(run.id, 't1.1', { config, error: 'lost' }))).out).toBe(
      'sent the answer of t1.1 to away; no worker has looked at it yet\n',
    );
  } finally {
    await kit.startWorker();
  }
  await run.result();
  expect(JSON.stringify(kit.model.requests.at(-1)?.body.messages)).toContain('lost');
});

test('`holdfast inbox` prints one line of JSON per call without a terminal, and filters', async () => {
  expect(await said(() => inbox({ config, owner: 'eve' }))).toEqual({
    code: 0,
    out: '',
    err: 'Nothing waits for a person.\n',
  });
  expect(await said(() => inbox({ config, owner: 'eve', json: true }))).toEqual({ code: 0, out: '', err: '' });
  const run = await waiting('inbox', ['refund', { amount: 90 }], ['refund', { amount: 80 }]);
  const ids = async (filter: object) =>
    (await said(() => inbox({ config, json: true, ...filter }))).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).toolUseId);
  // Lists of runs are some milliseconds behind the runs.
  await until(async () => (await ids({})).length === 2, 'both calls to be listed');
  expect(await ids({ owner: 'bob', agent: 'waits.shop' })).toEqual(['t1.1', 't1.2']);
  expect(await ids({ run: run.id })).toEqual(['t1.1', 't1.2']);
  for (const filter of [{ owner: 'eve' }, { agent: 'waits.other' }, { run: run.id, owner: 'eve' }]) {
    expect([filter, await ids(filter)]).toEqual([filter, []]);
  }
  for (const toolUseId of ['t1.1', 't1.2']) await run.approve({ toolUseId }, { by: 'ann' });
  await run.result();
});

test('`holdfast show` says what a run waits for and how to end the wait', async () => {
  const run = await waiting('show', ['refund', { amount: 90 }], ['carrier', { parcel: 'P1' }]);
  const show = async () =>
    runLines(await viewRun(kit.client.temporal, run.id, { workerTimeout: 5000 }), false).join('\n');
  const shown = await show();
  // As `holdfast runs` says it.
  expect(shown).toMatch(/^status +waits for a decision, started /m);
  expect(shown).toMatch(/^waits +t1\.1 refund for ann or role:finance\n +holdfast approve show t1\.1 --by ann$/m);
  expect(shown).toMatch(/^ +t1\.2 carrier for an answer since 20.*\n +holdfast complete show t1\.2 --data '\{…\}'$/m);
  await run.approve({ toolUseId: 't1.1' }, { by: 'ann' });
  await kit.client.completeCall(run.id, 't1.2', { error: 'x' });
  await run.result();
  expect(await show()).not.toMatch(/^waits/m);
});

test('without registered search attributes, the inbox says how to register them', async () => {
  const { connection, namespace } = kit.temporal.client.options as never as {
    connection: typeof kit.temporal.connection;
    namespace: string;
  };
  await connection.operatorService.removeSearchAttributes({ namespace, searchAttributes: [...SEARCH_ATTRIBUTES] });
  // The server caches the registered attributes.
  let problem: string | undefined;
  await until(async () => {
    const found = await findWaiting(kit.client, {});
    if ('problem' in found) problem = found.problem;
    return problem !== undefined;
  }, 'the attributes to be gone');
  expect(problem).toContain(`temporal operator search-attribute create --namespace ${namespace} --name HoldfastAgent`);
  expect(problem).toContain('`holdfast inbox --run`, with the id of a run, works without');
  expect(await said(() => inbox({ config }))).toEqual({ code: 1, out: '', err: `${problem}\n` });
});
