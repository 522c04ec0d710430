import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { defineAgent } from 'holdfast';
import { AgentClient } from 'holdfast/client';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { readGrants, writeGrants } from '../../activities/approvals';
import type { Grant } from '../../agent/approvals/approval';
import type { WriteGrantsInput } from '../../agent/protocol/activities';
import { pay } from '../approvals/desk';

/** Workers keep decisions only if an agent may ask for one. */
const agent = defineAgent({ name: 'test.desk', instructions: 'Help.', tools: { pay: pay('pay', 'always') } });
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());

/** Each test has a separate agent, and thus a separate cache. */
let name = '';
beforeEach(() => {
  name = `test.${expect
    .getState()
    .currentTestName?.replace(/[^a-z]+/g, '-')
    .slice(0, 60)}x`;
});

const cache = () => kit.temporal.client.workflow.getHandle(`holdfast.approvals/${name}`);
const activities = () => new MockActivityEnvironment({ taskQueue: kit.taskQueue }, { client: kit.temporal.client });
const grant = (more: Partial<Grant> = {}): Grant => ({
  tool: 'refund',
  key: 'a1',
  allowed: true,
  by: 'ann',
  at: 1,
  ...more,
});
const write = (grants: Grant[], more: Partial<WriteGrantsInput> = {}) =>
  activities().run(writeGrants, { agent: name, owner: 'u1', grants, ...more });
const read = (...keys: string[]): Promise<(Grant | null)[]> =>
  activities().run(readGrants, { agent: name, owner: 'u1', wanted: keys.map((key) => ({ tool: 'refund', key })) });
const pageOf = async () =>
  (await cache().query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

test('with nothing remembered, nothing holds, nothing is listed, and there is nothing to revoke', async () => {
  expect(await read('a1', 'a2')).toEqual([null, null]);
  expect(await read()).toEqual([]);
  expect(await kit.client.approvals(name).list()).toEqual([]);
  expect(await kit.client.approvals(name).revoke({ tool: 'refund' })).toBe(0);
  await write([]);
  await expect(cache().describe()).rejects.toThrow();
});

test('every later run finds what a run remembers, and only for the same owner', async () => {
  await write([grant({ comment: 'a good customer' }), grant({ key: 'a2', allowed: false })]);
  await write([grant({ key: '', by: 'bob' })], { owner: 'u2' });
  const { by } = grant();
  expect(await read('a1', 'a2', 'a3')).toEqual([
    grant({ comment: 'a good customer' }),
    grant({ key: 'a2', allowed: false, by }),
    null,
  ]);
  const wanted = [{ tool: 'refund', key: 'a3' }];
  expect(await activities().run(readGrants, { agent: name, owner: 'u2', wanted })).toMatchObject([{ by: 'bob' }]);
  expect(await activities().run(readGrants, { agent: name, wanted })).toEqual([null]);
});

test('our client lists who decided what and when, and revokes it', async () => {
  await write([grant(), grant({ key: 'a2', allowed: false, by: 'bob', comment: 'no' })]);
  await write([grant()], { owner: 'u2' });
  const approvals = kit.client.approvals(name);
  expect(await approvals.list()).toEqual([
    { ...grant(), owner: 'u1' },
    { ...grant({ key: 'a2', allowed: false, by: 'bob', comment: 'no' }), owner: 'u1' },
    { ...grant(), owner: 'u2' },
  ]);
  expect(await approvals.revoke({ tool: 'refund' })).toBe(0);
  expect(await approvals.revoke({ owner: 'u1', tool: 'refund', key: 'a2' })).toBe(1);
  expect(await approvals.revoke({ owner: 'u1', tool: 'refund' })).toBe(1);
  expect(await approvals.list()).toEqual([{ ...grant(), owner: 'u2' }]);
});

test('an owner, a tool and a key may be as long as in a run', async () => {
  const owner = 'o'.repeat(60_000);
  await write([grant()], { owner });
  const wanted = [
    { tool: 'refund', key: 'a1' },
    { tool: 'x'.repeat(5000), key: 'x'.repeat(5000) },
  ];
  expect(await activities().run(readGrants, { agent: name, owner, wanted })).toEqual([grant(), null]);
});

test('an activity that is retried does not restore what was revoked in between', async () => {
  await write([grant()]);
  await kit.client.approvals(name).revoke({ owner: 'u1', tool: 'refund' });
  await write([grant()]);
  expect(await read('a1')).toEqual([null]);
});

test('any Temporal client sets and revokes by update, which answers, and by signal', async () => {
  await write([grant()]);
  await read('a1');
  const set = (grants: Grant[]) => cache().executeUpdate<number, [object]>('setBatched', { args: [{ grants }] });
  expect(await set([grant(), grant({ key: 'a2' })])).toBe(2);
  expect(await set([grant()])).toBe(0);
  await cache().signal('revoke', { tool: 'refund', key: 'a2' });
  await cache().signal('setBatched', { owner: 'u3', grants: [grant({ key: 'a3' })] });
  const rows = (await kit.client.approvals(name).list()).map(({ owner, key }) => `${owner} ${key}`);
  expect(rows).toEqual(['u1 a1', 'undefined a1', 'u3 a3']);
});

describe('invalid input', () => {
  const wrong: [string, string, unknown, string][] = [
    ['no payload', 'setBatched', null, 'the payload must be'],
    ['no list', 'setBatched', { grants: 'all' }, '`grants` must be a list'],
    ['an invalid grant', 'setBatched', { grants: [grant(), 7] }, '`grants[1]` must be'],
    ['a decision without a person', 'setBatched', { grants: [grant({ by: '' })] }, '`by` of `grants[0]` must be'],
    ['neither yes nor no', 'setBatched', { grants: [{ ...grant(), allowed: 'yes' }] }, '`allowed` of `grants[0]`'],
    ['no time', 'setBatched', { grants: [{ ...grant(), at: 'now' }] }, '`at` of `grants[0]`'],
    ['a non-text owner', 'setBatched', { owner: 7, grants: [] }, '`owner` must be a string'],
    ['a non-text comment', 'setBatched', { grants: [{ ...grant(), comment: 7 }] }, '`comment` of `grants[0]`'],
    ['a key that is too long', 'setBatched', { grants: [grant({ key: 'x'.repeat(1001) })] }, 'at most 1000 characters'],
    ['no tool', 'revoke', { key: 'a1' }, '`tool` must be'],
  ];

  it.each(wrong)('is refused by update: %s', async (_, update, payload, problem) => {
    await write([grant()]);
    await expect(cache().executeUpdate<number, [unknown]>(update, { args: [payload] })).rejects.toMatchObject({
      cause: { type: 'InvalidDecision', message: expect.stringContaining(problem) },
    });
    expect(await read('a1')).toEqual([grant()]);
  });

  it('is counted by signal, shown on the page of the cache, and changes nothing', async () => {
    await write([grant()]);
    for (const [, signal, payload] of wrong) await cache().signal(signal, payload);
    await cache().signal('approve', { toolUseId: 't1.1' });
    expect(await kit.client.approvals(name).list()).toHaveLength(1);
    expect(await pageOf()).toContain(`\`${name}\` remembers one decision on its calls.`);
    expect(await pageOf()).toContain('Ignored signals: 11.');
    expect((await cache().describe()).status.name).toBe('RUNNING');
  });

  it('is reported by our client', async () => {
    await write([grant()]);
    await expect(kit.client.approvals(name).revoke({} as never)).rejects.toMatchObject({
      type: 'InvalidDecision',
      message: expect.stringContaining('`tool` must be'),
    });
  });
});

test('a decision from the future is one of now: a later one replaces it', async () => {
  await write([grant({ at: Date.now() * 2 })]);
  const [future] = await read('a1');
  expect(future?.at).toBeLessThan(Date.now() * 2);
  await kit.skip('1s');
  await write([grant({ at: (future?.at ?? 0) + 1, allowed: false })]);
  expect(await read('a1')).toMatchObject([{ allowed: false }]);
});

test('a cache that a user terminated has forgotten everything, and starts again empty', async () => {
  await write([grant()]);
  await cache().terminate();
  expect(await read('a1')).toEqual([null]);
  expect(await kit.client.approvals(name).list()).toEqual([]);
  expect(await kit.client.approvals(name).revoke({ owner: 'u1', tool: 'refund' })).toBe(0);
  await write([grant({ key: 'a2' })]);
  expect(await read('a1', 'a2')).toEqual([null, grant({ key: 'a2' })]);
});

test('runs of agents with it are independent of it, and both replay', async () => {
  await write([grant()], { agent: agent.name });
  kit.model.script(text('Hello'));
  const run = await kit.start(agent, { input: 'hi' });
  expect((await run.result()).data).toBe('Hello');
  await kit.replay(run);
  await kit.replay({ id: `holdfast.approvals/${agent.name}` });
});

test('an agent cannot have a name that the bundle runs as something else', async () => {
  expect(() => defineAgent({ name: 'holdfast.approvals', instructions: 'x' })).toThrow(/the first not `holdfast`/);
  const refused = { type: 'InvalidAgentName', message: expect.stringContaining('the prefix `holdfast.` is taken') };
  await expect(kit.client.start('holdfast.approvals', { input: 'x' })).rejects.toMatchObject(refused);
  expect(() => kit.client.approvals('holdfast.approvals')).toThrow(/prefix/);
});

test('any other error is thrown, so that the activity is retried', async () => {
  const describe = () => Promise.reject(new Error('no connection'));
  const { client } = kit.temporal;
  const broken = Object.create(client, { workflow: { value: { getHandle: () => ({ describe }) } } });
  const environment = new MockActivityEnvironment({}, { client: broken, logger: new DefaultLogger('ERROR') });
  const wanted = [{ tool: 'refund', key: 'a1' }];
  await expect(environment.run(readGrants, { agent: name, wanted })).rejects.toThrow('no connection');
});

test('without a worker our client says so', async () => {
  await write([grant()]);
  await kit.client.approvals(name).list();
  await kit.stopWorker();
  try {
    const impatient = new AgentClient(kit.temporal.client, { taskQueue: kit.taskQueue, workerTimeout: 300 }).approvals(
      name,
    );
    const noWorker = { type: 'NoWorker', data: { taskQueue: 'holdfast.entities' } };
    await expect(impatient.list()).rejects.toMatchObject(noWorker);
    await expect(impatient.revoke({ owner: 'u1', tool: 'refund' })).rejects.toMatchObject(noWorker);
  } finally {
    await kit.startWorker();
  }
});
