import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai';
import { text } from 'holdfast/testing';
import { HoldfastError } from '../../../../agent/errors/error';
import { RunHandle } from '../../../../client/runs/run-handle';
import { type GatewayKit, startGatewayKit, TOKEN } from '../kit';
import { until } from '../until';

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit();
});
afterAll(() => gateway.close());
beforeEach(() => gateway.kit.model.reset());

function chatWith(id: string, messages: UIMessage[] = []) {
  return new Chat({
    id,
    messages,
    transport: new DefaultChatTransport({
      api: `${gateway.url}/v1/agents/support.desk/chat`,
      headers: { authorization: `Bearer ${TOKEN}` },
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
}

test('a chat of the AI SDK, with an approval in the middle', async () => {
  gateway.kit.model.script(
    {
      text: 'Let me see.',
      calls: [
        { name: 'look', arguments: { id: 'A-1' } },
        { name: 'refund', arguments: { amount: 5 } },
      ],
    },
    text('All done, friend.'),
  );
  const chat = chatWith('c1');
  await chat.sendMessage({ text: 'Refund A-1' });
  const [, waiting] = chat.messages;
  expect(waiting?.metadata).toMatchObject({ exchange: 1, waiting: { approvals: 1 } });
  const asked = waiting?.parts.find((part) => 'state' in part && part.state === 'approval-requested');
  expect(asked).toMatchObject({ type: 'tool-refund', toolCallId: 't1.2', input: { amount: 5 } });

  await chat.addToolApprovalResponse({ id: (asked as { approval: { id: string } }).approval.id, approved: true });
  await until(() => JSON.stringify(chat.messages).includes('All done, friend.'));
  await until(() => chat.status === 'ready');

  expect(chat.messages).toHaveLength(2);
  const { parts = [], metadata } = chat.messages[1] ?? {};
  expect(parts.filter(({ type }) => type === 'text')).toMatchObject([
    { text: 'Let me see.' },
    { text: 'All done, friend.' },
  ]);
  expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-look', output: { id: 'A-1', state: 'sent' } }));
  expect(parts).toContainEqual(expect.objectContaining({ type: 'tool-refund', output: 'refunded 5' }));
  expect(metadata).toMatchObject({ reason: 'completed', waiting: { approvals: 0 } });
});

test('a chat whose worker is away at the moment of a wait goes on when it is back', async () => {
  gateway.kit.model.script({ calls: [{ name: 'refund', arguments: { amount: 5 } }] }, text('Refunded.'));
  const away = jest.spyOn(RunHandle.prototype, 'waiting');
  away.mockRejectedValueOnce(new HoldfastError('NoWorker', { taskQueue: 'agents' }));
  const chat = chatWith('c-away');
  await chat.sendMessage({ text: 'Refund A-1' });
  expect(away.mock.calls.length).toBeGreaterThan(1);
  away.mockRestore();
  expect(chat.error).toBeUndefined();
  expect(chat.messages[1]?.metadata).toMatchObject({ waiting: { approvals: 1 } });
});
