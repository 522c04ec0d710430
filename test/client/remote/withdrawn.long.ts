import { Chat } from '@ai-sdk/react';
import { DefaultChatTransport, type UIMessage } from 'ai';
import { RemoteClient } from 'holdfast/client';
import { text } from 'holdfast/testing';
import { newGate } from '../../gate';
import { until } from '../../until';
import { type GatewayKit, read, startGatewayKit, TOKEN } from '../gateway/kit';
import { type FlakyProxy, flakyProxy } from './flaky-proxy';

const FIRST = 'Aabcdefghijklmnopqrst';
const SECOND = 'Bnoooqqqqqqqqqqqqqqqz';
/** Events before the first piece of the answer, and as many as there are up to its end. */
const FACTS = { events: 4, chat: 1 };
const LAST = 26;

/** When a connection that has broken is there again: at once, when the first attempt is withdrawn, or after the answer. */
type Back = 'at once' | 'withdrawn' | 'answered';

interface Reader {
  name: string;
  back: Back;
  proxy: FlakyProxy;
  /** Everything that it has shown. */
  shown: string[];
  isAway: boolean;
  end: Promise<void>;
}

let gateway: GatewayKit;
const readers: Reader[] = [];
/** Pages go on as long as the gateway is there. */
let isClosing = false;
beforeAll(async () => {
  gateway = await startGatewayKit({ limits: { body: 1024 * 1024, requests: 1_000_000, streams: 1000, idle: 60_000 } });
});
afterAll(async () => {
  isClosing = true;
  await Promise.all(readers.map(({ proxy }) => proxy.close()));
  await gateway.close();
});

const now = ({ shown }: Reader) => shown.at(-1) ?? '';

/** A reader whose first connection breaks after so many events. */
async function reader(name: string, cut: { events: number; half?: boolean }, back: Back, isBack: Promise<void>) {
  const proxy = await flakyProxy(gateway.url);
  const one: Reader = { name, back, proxy, shown: [], isAway: false, end: Promise.resolve() };
  let connections = 0;
  let open = false;
  void isBack.then(() => {
    open = true;
    one.isAway = false;
  });
  proxy.fate = (path) => {
    if (!/events|stream/.test(path)) return 'pass';
    connections++;
    if (connections === 1) return cut;
    if (back !== 'at once' && !open) {
      one.isAway = true;
      return 'away';
    }
    return 'pass';
  };
  readers.push(one);
  return one;
}

async function readEvents(id: string, one: Reader): Promise<void> {
  const client = await RemoteClient.connect({ url: one.proxy.url, token: TOKEN });
  let said = '';
  let final = '';
  for await (const event of client.get(id).events()) {
    if (event.type === 'stream.text') said += event.text;
    else if (event.type === 'stream.clear') said = '';
    else if (event.type === 'message' && event.message.role === 'assistant') {
      final = event.message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      // What was shown of it is replaced.
      if (said !== '' && !final.startsWith(said)) one.shown.push(`${said} before the answer`);
      said = final;
    }
    one.shown.push(said);
    if (event.type === 'exchange.end') return;
  }
}

/** As a page does: it resumes the stream, and reads the messages where nothing is in progress. */
async function readChat(id: string, one: Reader): Promise<void> {
  const run = `${one.proxy.url}/v1/runs/${encodeURIComponent(id)}`;
  const headers = { authorization: `Bearer ${TOKEN}` };
  let isOver = false;
  const transport = new DefaultChatTransport<UIMessage>({
    api: `${run}/chat`,
    headers,
    async fetch(...request) {
      const answer = await fetch(...request);
      isOver = answer.status === 204;
      return answer;
    },
  });
  const chat = new Chat<UIMessage>({ id: 'page', transport });
  chat['~registerMessagesCallback'](() => one.shown.push(visibleIn(chat)));
  while (!isClosing && (chat.messages.at(-1)?.metadata as { reason?: string } | undefined)?.reason === undefined) {
    if (isOver) {
      chat.messages = (
        (await (await fetch(`${run}/ui-messages`, { headers })).json()) as { messages: UIMessage[] }
      ).messages;
      return;
    }
    await chat.resumeStream();
    if (chat.status === 'error') await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** What a page shows of an answer: its texts, but those that were withdrawn. */
function visibleIn(chat: Chat<UIMessage>): string {
  const parts = chat.messages.at(-1)?.parts ?? [];
  return parts
    .map((part, i) => (part.type === 'text' && parts[i + 1]?.type !== 'data-withdrawn' ? part.text : ''))
    .join('');
}

test('readers whose connections break at any point of an answer that starts over see it once', async () => {
  const first = newGate();
  const second = newGate();
  gateway.kit.model.script(
    async () => {
      await first.opened;
      return { text: FIRST, chunkSize: 3, chunkDelay: 30, fault: { kind: 'cut', after: FIRST.length } };
    },
    async () => {
      await second.opened;
      return text(SECOND, { chunkSize: 3, chunkDelay: 30 });
    },
  );
  const { body } = await read<{ id: string }>(
    gateway.request('/v1/runs', { json: { agent: 'support.desk', input: 'Hello' } }),
  );
  const { id } = body;
  const withdrawn = newGate();
  const answered = newGate();
  const kinds = { events: readEvents, chat: readChat };
  for (const [kind, follow] of Object.entries(kinds)) {
    for (let events = FACTS[kind as keyof typeof FACTS]; events <= LAST; events++) {
      for (const half of [false, true]) {
        const backs: [Back, Promise<void>][] = [
          ['at once', Promise.resolve()],
          ['withdrawn', withdrawn.opened],
          ['answered', answered.opened],
        ];
        for (const [back, isBack] of half ? backs.slice(0, 1) : backs) {
          const name = `${kind}, cut after ${events}${half ? ' and a half' : ''}, back ${back}`;
          const one = await reader(name, { events, half }, back, isBack);
          one.end = follow(id, one);
        }
      }
    }
  }
  // It reads without a proxy, and sees all of it.
  const seen: string[] = [];
  const observer = (async () => {
    const client = await RemoteClient.connect({ url: gateway.url, token: TOKEN });
    for await (const { type } of client.get(id).events()) {
      seen.push(type);
      if (type === 'stream.clear') withdrawn.open();
      if (type !== 'exchange.end') continue;
      answered.open();
      return;
    }
  })();
  await until(() => seen.includes('loop.iteration'), 'the observer to read');
  await until(() => readers.every(({ proxy }) => proxy.requests.length > 0), 'all readers to connect');
  first.open();
  await withdrawn.opened;
  const followed = readers.filter(({ name }) => name.startsWith('events'));
  const isWithdrawn = (one: Reader) => now(one) === '' || (one.back === 'answered' && one.isAway);
  await until(() => followed.every(isWithdrawn), 'all readers to see that the text is withdrawn');
  second.open();
  await observer;
  await Promise.all(readers.map(({ end }) => end));

  expect(seen.filter((type) => type === 'stream.text').length).toBeGreaterThan(8);
  const wrong = readers.flatMap(({ name, shown }) => {
    const begun = shown.findIndex((said) => said.startsWith('B'));
    const isRight = (said: string, i: number) =>
      SECOND.startsWith(said) || ((begun === -1 || i < begun) && FIRST.startsWith(said));
    const problem = shown.find((said, i) => !isRight(said, i));
    if (problem !== undefined) return [`${name}: ${problem}`];
    return shown.at(-1) === SECOND ? [] : [`${name} ends with: ${shown.at(-1)}`];
  });
  expect(wrong).toEqual([]);
  // They broke where they should.
  expect(readers.filter(({ proxy }) => proxy.requests.length > 1).length).toBeGreaterThan(readers.length / 2);
}, 60_000);
