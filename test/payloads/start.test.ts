import { randomUUID } from 'node:crypto';
import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { until } from '../until';
import { GARBAGE, json, rawCalls, UNREADABLE_KINDS, USELESS_KINDS } from './raw';

const task = defineAgent({ name: 'payload.task', instructions: 'Answer.' });
const ALL = { ...UNREADABLE_KINDS, ...USELESS_KINDS, '1 MB of garbage': GARBAGE, 'no payload': [] };

let kit: AgentTestEnvironment;
let raw: ReturnType<typeof rawCalls>;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [task], server: 'dev' });
  raw = rawCalls(kit);
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

it('fails a start whose argument cannot be read as InvalidInput, and it answers queries', async () => {
  const starts = Object.entries(ALL).map(async ([kind, payloads]) => {
    const id = randomUUID();
    await raw.start(id, 'payload.task', { input: { payloads } });
    const run = kit.client.get(id);
    await expect(run.result()).rejects.toMatchObject({ type: 'InvalidInput' });
    const { status, end } = await run.state();
    expect([kind, status]).toEqual([kind, 'failed']);
    if (kind in UNREADABLE_KINDS)
      expect([kind, end?.error?.message]).toEqual([kind, expect.stringMatching(UNREADABLE)]);
    await kit.replay(run);
  });
  await Promise.all(starts);
});

const UNREADABLE = /^Input of `payload\.task` does not fit: Its payload cannot be read: /;

it('runs with memo fields and headers that cannot be read, and lists show it beside others', async () => {
  const fields = Object.fromEntries(Object.values(UNREADABLE_KINDS).map(([payload = {}], i) => [`field${i}`, payload]));
  const id = randomUUID();
  kit.model.script(text('done'));
  await raw.start(id, 'payload.task', {
    input: { payloads: json({ input: 'x', owner: 'ann' }) },
    memo: { fields: { ...fields, holdfastOwner: fields.field0 ?? {} } },
    header: { fields: { traceparent: fields.field0 ?? {}, 'holdfast-trace': fields.field3 ?? {} } },
  });
  const run = kit.client.get(id);
  expect((await run.result()).data).toBe('done');
  await kit.replay(run);
  let listed: string[] = [];
  await until(async () => {
    listed = (await kit.client.sessions({ agent: 'payload.task' })).map((one) => one.id);
    return listed.includes(id);
  }, 'the run to be listed');
  expect(listed.length).toBeGreaterThan(1);
});

const entity = 'holdfast.approvals/payload.task';

it('keeps the remembered approvals through starts, signals, updates and queries that cannot be read', async () => {
  await raw.start(entity, 'holdfast.approvals', { input: { payloads: UNREADABLE_KINDS.encrypted ?? [] } });
  const given = {
    owner: '',
    grants: [{ tool: 'pay', key: '', allowed: true, by: 'ann', at: 1 }],
  };
  expect(await raw.update(entity, 'setBatched', json(given))).toBeUndefined();
  const names = ['setBatched', 'revoke', 'nonsense', '__temporal_x'];
  for (const name of names) {
    for (const payloads of Object.values(ALL)) await raw.signal(entity, name, payloads);
    for (const payloads of Object.values(UNREADABLE_KINDS)) {
      const failure = await raw.update(entity, name, payloads);
      expect(failure?.message).toMatch(/The payload of the update `\S+` cannot be read|No registered handler/);
    }
  }
  for (const payloads of Object.values(UNREADABLE_KINDS)) {
    await expect(raw.query(entity, 'getBatched', payloads)).rejects.toThrow(/cannot be read/);
  }
  expect(await kit.client.approvals('payload.task').list()).toMatchObject([{ tool: 'pay', allowed: true }]);
  await kit.replay({ id: entity });
});
