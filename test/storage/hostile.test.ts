import type { Payload } from '@temporalio/common';
import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import type { FactPage } from '../../agent/protocol/facts/fact';
import type { ConversationHandle } from '../../client';
import { rawCalls } from '../payloads/raw';
import { endOf } from '../services/stage';
import { until } from '../until';
import { Place } from './place';

/** A payload that claims to be in a storage. */
const reference = (data: unknown): Payload => ({
  metadata: {
    encoding: Buffer.from('json/protobuf'),
    messageType: Buffer.from('temporal.api.sdk.v1.ExternalStorageReference'),
  },
  data: Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)),
});
const ours = (claimData: unknown) => reference({ driverName: 'holdfast', claimData });

const HOSTILE: { readonly [kind: string]: Payload } = {
  'no data': { ...reference(''), data: null },
  'broken JSON': reference('{"driverName": '),
  'a list': reference([]),
  'no driver': reference({ claimData: {} }),
  'an empty driver': reference({ driverName: '' }),
  'a driver that is a number': reference({ driverName: 7 }),
  'a claim that is a text': ours('x'),
  'a claim of numbers': ours({ key: 7 }),
  'another driver': reference({ driverName: 'other', claimData: { key: 'x' } }),
  'a driver like a field of objects': reference({ driverName: '__proto__' }),
  'no claim': ours({}),
  'a path': ours({ key: '../../../etc/passwd' }),
  'an object that was never written': ours({ key: '0'.repeat(64) }),
  'no gzip': ours({ gzip: 'x' }),
};

const desk = defineAgent({ name: 'hostile.desk', mode: 'conversation' });
const place = new Place();

describe.each([
  ['with a storage', { storage: { folder: place.dir } }],
  ['without a storage', {}],
])('references to nothing, %s', (_, options) => {
  let kit: AgentTestEnvironment;
  let raw: ReturnType<typeof rawCalls>;
  beforeAll(async () => {
    kit = await createAgentTestEnvironment({ agents: [desk], server: 'dev', ...options });
    raw = rawCalls(kit);
  });
  afterAll(() => kit.close());
  afterEach(() => kit.model.reset());

  async function goesOn(run: ConversationHandle<unknown>): Promise<void> {
    kit.model.script(text('still here'));
    await run.answerTo(await run.send('are you there?'));
    await run.close();
    expect((await run.result()).data).toBe('still here');
    await kit.replay(run);
  }

  it('are refused by name in a signal, and the run goes on', async () => {
    const run = await kit.start(desk, { input: null });
    for (const payload of Object.values(HOSTILE)) await raw.signal(run.id, 'send', [payload]);
    const { ignored } = await run.state();
    expect(ignored).toEqual({ UnreadablePayload: Object.keys(HOSTILE).length });
    const { facts } = await kit.client.temporal.workflow.getHandle(run.id).query<FactPage>('holdfast.facts');
    const details = facts.flatMap((fact) => (fact.type === 'message.ignored' ? [fact.detail] : []));
    expect(details).toContain(
      'The payload of the signal `send` cannot be read: it is in a storage that this process does not have; set the storage of its writer in temporal.yaml.',
    );
    await goesOn(run);
  });

  it('are refused by name in an update and in a query', async () => {
    const run = await kit.start(desk, { input: null });
    for (const [kind, payload] of Object.entries(HOSTILE)) {
      const failure = await raw.update(run.id, 'send', [payload]);
      expect([kind, failure?.applicationFailureInfo?.type]).toEqual([kind, 'UnreadablePayload']);
      await expect(raw.query(run.id, 'holdfast.facts', [payload])).rejects.toThrow(/cannot be read/);
    }
    await goesOn(run);
  });

  it('end a run that is started with one, by name', async () => {
    for (const [kind, payload] of Object.entries(HOSTILE)) {
      const id = `started-${kind.replaceAll(' ', '-')}`;
      await raw.start(id, desk.name, { input: { payloads: [payload] } });
      const end = await endOf(kit.client.get(id));
      expect([kind, end]).toEqual([kind, 'InvalidInput']);
    }
  });

  it('do not stop a list of runs in which one has such a memo', async () => {
    await raw.start('with-memo', desk.name, { memo: { fields: { title: HOSTILE['no driver'] ?? {} } } });
    await raw.start('with-memo-too', desk.name, { memo: { fields: { title: HOSTILE['another driver'] ?? {} } } });
    await until(async () => {
      const ids = (await kit.client.sessions()).map(({ id }) => id);
      return ids.includes('with-memo') && ids.includes('with-memo-too');
    }, 'both runs to be listed');
  });
});
