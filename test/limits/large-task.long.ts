import type { Payload, PayloadCodec } from '@temporalio/common';
import { defineAgent } from 'holdfast';
import { type AgentTestEnvironment, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { factsOf } from '../facts';
import { newGate } from '../gate';
import { until } from '../until';

const KB = 1024;
/** Characters of two bytes, of which messages are made that are counted by a worker; 24 counts fit into one task. */
const MESSAGE = 64 * KB - 130;
const MESSAGES = 26;

/** Holds back the workflow task that brings this text. */
const HELD = 'hold this task';
const seen = newGate();
const held = newGate();
const holding: PayloadCodec = {
  encode: async (payloads: Payload[]) => payloads,
  async decode(payloads: Payload[]) {
    if (payloads.some(({ data }) => data && Buffer.from(data).includes(HELD))) {
      seen.open();
      await held.opened;
    }
    return payloads;
  },
};

const writer = defineAgent({
  name: 'limits.writer',
  mode: 'conversation',
  outputSchema: z.object({ text: z.string() }),
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  const temporal = { dataConverter: { payloadCodecs: [holding] } };
  kit = await createAgentTestEnvironment({ agents: [writer], server: 'dev', contextWindow: 40_000, temporal });
});
afterAll(() => kit.close());

it('checks an answer of 1 MB in the task that counts as many messages as a task can hold', async () => {
  const answer = newGate();
  kit.model.script(
    async () => {
      await answer.opened;
      return text(JSON.stringify({ text: 'x'.repeat(1024 * KB - 200) }), { chunkSize: 64 * KB });
    },
    ...Array.from({ length: MESSAGES + 1 }, () => text('{"text":"read"}')),
  );
  const run = kit.conversation(writer, { id: 'large-task' });
  await run.send('write');
  await kit.model.request(1);
  const handle = kit.temporal.client.workflow.getHandle(run.id);
  await handle.signal('send', { text: HELD });
  await seen.opened;
  answer.open();
  await Promise.all(Array.from({ length: MESSAGES }, () => handle.signal('send', { text: 'é'.repeat(MESSAGE) })));
  await until(async () => {
    const { raw } = await handle.describe();
    return (raw.pendingActivities ?? []).length === 0;
  }, 'the end of the call');
  held.open();
  // It answers the short message last.
  await until(async () => (await run.state()).exchange === 2 && (await run.state()).idle, 'the last answer');
  await run.close();
  await run.result();
  expect(await factsOf(run, 'message.received')).toHaveLength(2);
  expect(await factsOf(run, 'message.ignored')).toHaveLength(MESSAGES);
  const [first] = await kit.histories(run);
  const counted = first?.events?.filter(
    ({ activityTaskScheduledEventAttributes: it }) => it?.activityType?.name === 'holdfast.countMessage',
  );
  const together = counted?.map((it) => String(it.activityTaskScheduledEventAttributes?.workflowTaskCompletedEventId));
  expect(together?.filter((task) => task === together[0])).toHaveLength(24);
  await kit.replay(run);
});
