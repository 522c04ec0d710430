import { Readable } from 'node:stream';
import { RemoteClient } from 'holdfast/client';
import { call, text } from 'holdfast/testing';
import { Conversation } from '../../../cli/chat/conversation';
import { ServedOpening } from '../../../cli/chat/open/with-server';
import { chatPipe } from '../../../cli/chat/pipe';
import { type GatewayKit, startGatewayKit, TOKEN } from '../../client/gateway/kit';

let gateway: GatewayKit;
let client: RemoteClient;
beforeAll(async () => {
  gateway = await startGatewayKit();
  client = await RemoteClient.connect({ url: gateway.url, token: TOKEN });
});
afterAll(() => gateway.close());
beforeEach(() => gateway.kit.model.reset());

async function chat(given: { id?: string; input?: string; close?: boolean }, ...lines: string[]) {
  const printed = { out: '', err: '' };
  const opening = await ServedOpening.open(client, 'support.desk', given);
  const conversation = new Conversation(opening, { input: given.input, by: client.user.user });
  await conversation.find();
  const code = await chatPipe(conversation, {
    input: Readable.from(lines.map((line) => `${line}\n`)),
    out: (said) => {
      printed.out += `${said}\n`;
    },
    err: (...said) => {
      printed.err += said.map((line) => `${line}\n`).join('');
    },
    diagnose: async () => undefined,
    close: given.close ?? false,
  });
  return { code, id: conversation.id, ...printed };
}

test('each line is a message, a decision or an answer, and the chat goes on later', async () => {
  gateway.kit.model.script(text('Hello.'), call('refund', { amount: 4 }), text('Refunded.'));
  const first = await chat({ id: 'my chat' }, 'Hi', 'Refund it', '/approve t2.1');
  expect(first).toMatchObject({ code: 0, out: 'Hello.\nRefunded.\n' });
  expect(first.err).toContain(`left  holdfast chat support.desk --id ${first.id}`);
  gateway.kit.model.script(text('Still here.'), text('Bye.'));
  expect(await chat({ id: 'my chat' }, 'There?')).toMatchObject({ code: 0, id: first.id, out: 'Still here.\n' });
  expect(await chat({ id: first.id, close: true }, 'Bye')).toMatchObject({ code: 0, id: first.id, out: 'Bye.\n' });
  await gateway.kit.client.get(first.id).result();
  await expect(chat({ id: 'my chat' }, 'Again')).rejects.toMatchObject({ type: 'RunEnded' });
});

test('an input is the first message', async () => {
  gateway.kit.model.script(text('About the lamp.'));
  expect(await chat({ input: 'lamp', close: true })).toMatchObject({ code: 0, out: 'About the lamp.\n' });
});

test('a task, an unknown agent and the id of another agent are refused', async () => {
  await expect(ServedOpening.open(client, 'support.clerk', {})).rejects.toMatchObject({ type: 'NotAConversation' });
  await expect(ServedOpening.open(client, 'support.missing', {})).rejects.toMatchObject({ type: 'UnknownAgent' });
  gateway.kit.model.script(text('Done.'));
  const run = await client.start('support.clerk', { input: { text: 'x' } });
  await expect(ServedOpening.open(client, 'support.desk', { id: run.id })).rejects.toMatchObject({ type: 'IdInUse' });
});
