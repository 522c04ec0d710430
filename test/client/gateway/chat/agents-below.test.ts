import { isToolUIPart, type UIMessage } from 'ai';
import { call, calls, type ModelReply, text } from 'holdfast/testing';
import { until } from '../../../until';
import { type GatewayKit, keyFor, read, startGatewayKit } from '../kit';
import { callsIn, metadataOf, type Page, pageOf, respond, statesIn, textIn } from './page';

const writer = keyFor('ann', ['start', 'message', 'read']);
let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit({ keys: [writer.entry] });
});
afterAll(() => gateway.close());
beforeEach(() => gateway.kit.model.reset());

const delegate = call('desk', { text: 'Pay' });
const pay = (amount: number): ModelReply => call('pay', { amount });
const path = (page: Page) => `/v1/runs/${encodeURIComponent(metadataOf(page.chat).runId)}`;
const waits = ({ chat }: Page, id: string) =>
  until(() => statesIn(chat)[id] === 'approval-requested' && chat.status === 'ready', `${id} to ask`);
const ends = ({ chat }: Page, words: string) =>
  until(() => textIn(chat).includes(words) && chat.status === 'ready', `the words ${words}`);

/** What the protocol page recommends where an agent and its agents may ask at once. */
function whenAllAreAnswered({ messages }: { messages: UIMessage[] }): boolean {
  const states = messages.at(-1)?.parts.flatMap((part) => (isToolUIPart(part) ? [part.state] : [])) ?? [];
  return states.includes('approval-responded') && !states.includes('approval-requested');
}

/** A page that was loaded again: it has what the server gives it. */
async function reloaded(page: Page, agent: string): Promise<Page> {
  const { body } = await read<{ messages: UIMessage[] }>(gateway.request(`${path(page)}/ui-messages`));
  const next = pageOf(gateway, agent, page.chat.id, { messages: body.messages });
  await next.chat.resumeStream();
  return next;
}

test('an approval of an agent that works for the run is a part of the message, and its answer is sent by itself', async () => {
  gateway.kit.model.script(delegate, pay(3), text('Paid.'), text('All paid.'));
  const page = pageOf(gateway, 'support.boss', 'child');
  await page.chat.sendMessage({ text: 'Pay' });
  await waits(page, 't1.1/t1.1');
  expect(callsIn(page.chat)).toMatchObject([
    { type: 'tool-desk', toolCallId: 't1.1', state: 'input-available' },
    { type: 'dynamic-tool', toolName: 'pay', toolCallId: 't1.1/t1.1', input: { amount: 3 } },
  ]);
  const { runId, waiting } = metadataOf(page.chat);
  expect(waiting).toEqual({ approvals: 1, questions: 0, calls: 0 });
  expect(page.chat.messages.at(-1)?.parts).toContainEqual(
    expect.objectContaining({
      type: 'data-approval',
      id: 't1.1/t1.1',
      data: expect.objectContaining({
        status: 'open',
        agent: 'support.clerk',
        runId: `${runId}/t1.1`,
        input: { amount: 3 },
      }),
    }),
  );
  await respond(page.chat);
  await ends(page, 'All paid.');
  expect(callsIn(page.chat)).toMatchObject([
    { toolCallId: 't1.1', state: 'output-available', output: 'Paid.' },
    { toolCallId: 't1.1/t1.1', state: 'output-available', output: 'paid 3' },
  ]);
  expect(page.sent).toHaveLength(2);
});

test('one denied, then one approved after a reload, and one more in the same page', async () => {
  gateway.kit.model.script(delegate, pay(1), pay(2), pay(4), text('Paid.'), text('All paid.'));
  const first = pageOf(gateway, 'support.boss', 'reload');
  await first.chat.sendMessage({ text: 'Pay' });
  await waits(first, 't1.1/t1.1');
  await respond(first.chat, false);
  await waits(first, 't1.1/t2.1');
  expect(statesIn(first.chat)).toMatchObject({ 't1.1/t1.1': 'output-denied' });

  const second = await reloaded(first, 'support.boss');
  await waits(second, 't1.1/t2.1');
  expect(second.chat.messages).toHaveLength(2);
  await respond(second.chat);
  await waits(second, 't1.1/t3.1');
  await respond(second.chat);
  await ends(second, 'All paid.');
  expect(statesIn(second.chat)).toEqual({
    't1.1': 'output-available',
    't1.1/t1.1': 'output-denied',
    't1.1/t2.1': 'output-available',
    't1.1/t3.1': 'output-available',
  });
  expect(callsIn(second.chat)).toHaveLength(4);
});

test.each([
  ['first', [0, 1]],
  ['last', [1, 0]],
])('an approval of the run itself beside that of its agent, answered %s', async (when, order) => {
  gateway.kit.model.script(calls(['desk', { text: 'Pay' }], ['sign']), pay(3), text('Paid.'), text('Both done.'));
  // The check of the AI SDK looks at the last step of a message only.
  const page = pageOf(gateway, 'support.boss', `both, ${when}`, { sendAutomaticallyWhen: whenAllAreAnswered });
  await page.chat.sendMessage({ text: 'Pay and sign' });
  const asked = { 't1.1': 'input-available', 't1.2': 'approval-requested', 't1.1/t1.1': 'approval-requested' };
  expect(statesIn(page.chat)).toEqual(asked);
  expect(metadataOf(page.chat).waiting).toMatchObject({ approvals: 2 });
  const ids = callsIn(page.chat).flatMap(({ approval }) => (approval === undefined ? [] : [approval.id]));
  for (const i of order) await page.chat.addToolApprovalResponse({ id: ids[i] ?? '', approved: true });
  await ends(page, 'Both done.');
  const done = 'output-available';
  expect(statesIn(page.chat)).toEqual({ 't1.1': done, 't1.2': done, 't1.1/t1.1': done });
  expect(page.sent).toHaveLength(2);
});

test('an agent of an agent', async () => {
  gateway.kit.model.script(
    call('manage', { text: 'Pay' }),
    call('clerk', { text: 'Pay' }),
    pay(5),
    text('Paid.'),
    text('It is paid.'),
    text('All paid.'),
  );
  const page = pageOf(gateway, 'support.boss', 'deep');
  await page.chat.sendMessage({ text: 'Pay' });
  await waits(page, 't1.1/t1.1/t1.1');
  await respond((await reloaded(page, 'support.boss')).chat);
  const late = await reloaded(page, 'support.boss');
  await ends(late, 'All paid.');
});

test('a question of an agent is answered as the output of its call', async () => {
  gateway.kit.model.script(delegate, call('ask_question', { question: 'How much?' }), text('Paid 7.'), text('Done.'));
  const page = pageOf(gateway, 'support.boss', 'question');
  await page.chat.sendMessage({ text: 'Pay' });
  await until(() => statesIn(page.chat)['t1.1/t1.1'] === 'input-available', 'the question');
  expect(metadataOf(page.chat).waiting).toEqual({ approvals: 0, questions: 1, calls: 0 });
  expect(page.chat.messages.at(-1)?.parts).toContainEqual(
    expect.objectContaining({
      type: 'data-question',
      data: expect.objectContaining({ question: 'How much?', status: 'open', agent: 'support.clerk' }),
    }),
  );
  await page.chat.addToolOutput({ tool: 'ask_question', toolCallId: 't1.1/t1.1', output: '7' });
  await page.chat.sendMessage();
  await ends(page, 'Done.');
  expect(JSON.stringify(gateway.kit.model.requests[2]?.body ?? gateway.kit.model.requests[2])).toContain('7');
});

test('an interrupt closes what an agent asks', async () => {
  gateway.kit.model.script(delegate, pay(3), text('Never.'));
  const page = pageOf(gateway, 'support.boss', 'interrupted');
  await page.chat.sendMessage({ text: 'Pay' });
  await waits(page, 't1.1/t1.1');
  expect((await gateway.request(`${path(page)}/interrupt`, { json: {} })).status).toBe(200);
  const [part] = callsIn(page.chat).slice(-1);
  await page.chat.addToolApprovalResponse({ id: (part as { approval: { id: string } }).approval.id, approved: true });
  await until(() => page.sent.length === 2 && page.chat.status === 'ready', 'the end');
  expect(statesIn(page.chat)).toEqual({ 't1.1': 'output-error', 't1.1/t1.1': 'output-error' });
});

test('a forged, stale or unentitled answer to an agent decides nothing', async () => {
  gateway.kit.model.script(delegate, pay(3), text('Paid.'), text('All paid.'));
  const page = pageOf(gateway, 'support.boss', 'forged');
  await page.chat.sendMessage({ text: 'Pay' });
  await waits(page, 't1.1/t1.1');
  const message = page.chat.messages.at(-1) as UIMessage;
  const id = (callsIn(page.chat).at(-1) as { approval: { id: string } }).approval.id;
  const responded = (toolCallId: string, approvalId: string) => ({
    json: {
      id: 'x',
      messages: [
        {
          ...message,
          parts: [
            {
              type: 'dynamic-tool',
              toolName: 'pay',
              toolCallId,
              state: 'approval-responded',
              approval: { id: approvalId, approved: true },
            },
          ],
        },
      ],
    },
  });
  const post = async (toolCallId: string, approvalId: string, token?: string) =>
    (
      await read(
        gateway.request(`${path(page)}/chat`, { ...responded(toolCallId, approvalId), ...(token && { token }) }),
      )
    ).status;
  expect(await post('t1.1/t1.1', `${id}0`)).toBe(409);
  // That of the same call in the run itself.
  expect(await post('t1.1/t1.1', id.replace('t1.1/', ''))).toBe(409);
  for (const other of ['t1.1', 't1.1/t1.1/', '/t1.1', 't1.1/t9.9', '../t1.1/t1.1'])
    expect(await post(other, id)).toBe(200);
  expect(await post('t1.1/t1.1', id, writer.token)).toBe(404);
  const { body } = await read<{ approvals: unknown[] }>(gateway.request(`${path(page)}/waiting`));
  expect(body.approvals).toHaveLength(1);
  await respond(page.chat);
  await ends(page, 'All paid.');
});
