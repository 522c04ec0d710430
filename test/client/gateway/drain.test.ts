import { text } from 'holdfast/testing';
import { type GatewayKit, serveKit, startGatewayKit } from './kit';
import { until } from './until';

let gateway: GatewayKit;
beforeAll(async () => {
  gateway = await startGatewayKit();
});
afterAll(() => gateway.close());

test('a server with 50 open streams ends in 2 s, and its readers see that each is cut', async () => {
  const { kit } = gateway;
  const words = text('word '.repeat(1000), { chunkDelay: 50, chunkSize: 5 });
  kit.model.reset();
  kit.model.script(words);
  const run = kit.conversation('support.desk', { id: 'long' });
  await run.send('Count');
  const other = await serveKit(kit.client);
  const paths = ['/v1/runs/long/events', '/v1/runs/long/chat/chat/stream'];
  const streams = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const { status, body } = await other.request(paths[i % 2] as string);
      const heard = { status, text: '', ended: false };
      const read = async () => {
        for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) heard.text += piece;
        heard.ended = true;
      };
      return Object.assign(heard, { end: read() });
    }),
  );
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  await until(() => streams.every((one) => one.text.includes('word ')));

  const since = performance.now();
  await other.close();
  expect(performance.now() - since).toBeLessThan(2000);
  await Promise.all(streams.map(({ end }) => end));
  for (const { text: heard } of streams)
    expect(heard).not.toMatch(/^event: (end|error)|\[DONE\]|"type":"(finish|error)"/m);
  await run.cancel();
});
