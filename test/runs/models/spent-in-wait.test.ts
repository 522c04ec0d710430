import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, fault, text } from 'holdfast/testing';
import type { ConversationHandle } from '../../../client/runs/conversation-handle';
import { factsOf } from '../../facts';
import { until } from '../../until';

const plain = defineAgent({ name: 'spent-in-wait.plain' });
const chat = defineAgent({ name: 'spent-in-wait.chat', mode: 'conversation' });
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [plain, chat], server: 'dev' });
});
afterEach(() => kit.model.reset());
afterAll(() => kit.close());

/** An attempt that costs something, and then one after which the call waits for longer than these tests may take. */
const broken = fault({ kind: 'cut', after: 8 }, { text: 'Hello world', chunkSize: 8 });
const later = fault({ kind: 'status', status: 429, headers: { 'retry-after': '50' } });

/** The model call waits for its third attempt. */
const callWaits = (run: { id: string }) =>
  until(async () => {
    const { raw } = await kit.temporal.client.workflow.getHandle(run.id).describe();
    const [call] = raw.pendingActivities ?? [];
    return call?.state === 1 && (call.attempt ?? 1) > 2;
  }, 'the second attempt to fail');

/** The tokens that each call of a conversation has used, after its end. */
async function usagesOf(talk: ConversationHandle) {
  await talk.close();
  await talk.result();
  await kit.replay(talk);
  return factsOf(talk, 'usage');
}

const paid = { model: 'scripted', usage: { prompt: expect.any(Number), completion: 2, estimated: true } };

describe('what failed attempts have cost is counted once, although no worker ends their call', () => {
  test('where a person interrupts the exchange in the wait for the next one', async () => {
    kit.model.script(broken, later, text('Again.'));
    const talk = kit.conversation(chat, { id: 'spent-in-wait-interrupt' });
    await talk.send('Hello');
    await callWaits(talk);
    await talk.interrupt({ by: 'ann' });
    expect(await talk.answerTo(await talk.send('And now?'))).toMatchObject({ data: 'Again.' });
    const [first, second, ...rest] = await usagesOf(talk);
    expect(first).toMatchObject(paid);
    expect([second?.usage.estimated, rest]).toEqual([undefined, []]);
  });

  test('where a message steers it at once', async () => {
    kit.model.script(broken, later, text('Steered.'));
    const talk = kit.conversation(chat, { id: 'spent-in-wait-steer' });
    const said = await talk.send('Hello');
    await callWaits(talk);
    await talk.steer('Something else', { when: 'now' });
    expect(await talk.answerTo(said)).toMatchObject({ data: 'Steered.' });
    const [first, second, ...rest] = await usagesOf(talk);
    expect(first).toMatchObject(paid);
    expect([second?.usage.estimated, rest]).toEqual([undefined, []]);
  });

  test('where the run is cancelled', async () => {
    kit.model.script(broken, later);
    const run = await kit.start(plain, { input: 'go' });
    await callWaits(run);
    await run.cancel();
    await expect(run.result()).rejects.toThrow();
    expect(await factsOf(run, 'usage')).toMatchObject([paid]);
    await kit.replay(run);
  });

  test('and by the answer alone, where there is one', async () => {
    kit.model.script(broken, text('Hello world'));
    const run = await kit.start(plain, { input: 'go' });
    await run.result();
    const [sum, ...rest] = await factsOf(run, 'usage');
    expect(rest).toEqual([]);
    expect(sum?.usage.completion).toBeGreaterThan(2);
    await kit.replay(run);
  });
});
