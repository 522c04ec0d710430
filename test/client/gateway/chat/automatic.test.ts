import {
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage,
} from 'ai';
import { call, text } from 'holdfast/testing';
import { until } from '../../../until';
import { type GatewayKit, startGatewayKit } from '../kit';
import { callsIn, metadataOf, pageOf, respond, statesIn, textIn } from './page';

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.kit.model.reset());

/** What a page uses that answers approvals, questions and calls. */
const whenComplete = (options: { messages: UIMessage[] }) =>
  lastAssistantMessageIsCompleteWithApprovalResponses(options) || lastAssistantMessageIsCompleteWithToolCalls(options);

test('approvals in a lane ask at once, and are sent by themselves as soon as all are answered', async () => {
  const move = (to: string) => ({ name: 'move', arguments: { to } });
  const note = { name: 'note', arguments: {} };
  gateway.kit.model.script({ text: 'Moving.', calls: [move('a'), note, move('b'), note] }, text('Moved.'));
  const { chat, sent } = pageOf(gateway, 'support.mover', 'lane');
  await chat.sendMessage({ text: 'Move' });
  expect(statesIn(chat)).toEqual({ 't1.1': 'approval-requested', 't1.3': 'approval-requested' });
  expect(chat.messages.at(-1)?.metadata).toMatchObject({ waiting: { approvals: 2 } });
  await respond(chat);
  await until(() => textIn(chat).includes('Moved.') && chat.status === 'ready', 'the answer');
  const done = 'output-available';
  expect(statesIn(chat)).toEqual({ 't1.1': done, 't1.2': done, 't1.3': done, 't1.4': done });
  expect(sent).toHaveLength(2);
});

test.each([
  ['interrupted while a call waits', 'refund'],
  ['interrupted after a call', 'look'],
])('a page that answers calls by itself sends nothing for an exchange that is over: %s', async (id, name) => {
  gateway.kit.model.script(call(name, name === 'look' ? { id: 'A' } : { amount: 1 }), async () => {
    await new Promise((resolve) => setTimeout(resolve, 60_000).unref());
    return text('Late.');
  });
  const { chat, sent } = pageOf(gateway, 'support.desk', id, { sendAutomaticallyWhen: whenComplete });
  const sending = chat.sendMessage({ text: 'Go' });
  await until(() => callsIn(chat).length > 0, 'the call');
  if (name === 'look') await gateway.kit.model.request(2);
  else await sending;
  const { runId } = metadataOf(chat);
  await gateway.request(`/v1/runs/${encodeURIComponent(runId)}/interrupt`, { json: {} });
  if (name === 'refund') await chat.resumeStream();
  await sending;
  await until(() => chat.status === 'ready', 'the end');
  expect(sent).toHaveLength(1);
});
