import { request } from 'node:http';
import { text } from 'holdfast/testing';
import { forkGateway } from './fork-gateway';
import { desk, type GatewayKit, startGatewayKit, TOKEN } from './kit';
import { until } from './until';

const STREAMS = 1000;
/** Seconds of one measurement, in which nothing happens. */
const SECONDS = 10;
/** Other work on the machine, and code that is not compiled yet, make a measurement dearer, and never cheaper. */
const MEASUREMENTS = 6;
const MOST_KB = 200;
const MOST_CPU = 0.3;

let gateway: GatewayKit;
let ids: string[] = [];
beforeAll(async () => {
  gateway = await startGatewayKit();
  gateway.kit.model.script(...Array.from({ length: STREAMS }, () => text('Hi')));
  ids = Array.from({ length: STREAMS }, (_, i) => `local:idle-${i}`);
  for (let i = 0; i < STREAMS; i += 20) {
    await Promise.all(
      ids.slice(i, i + 20).map((id) => gateway.kit.start(desk, { id, input: 'Hello', owner: 'local:ann' })),
    );
  }
  await until(() => gateway.kit.model.requests.length >= STREAMS);
});
afterAll(() => gateway.close());

test.each([100, 1000])(`${STREAMS} open streams of %i idle runs`, async (runs) => {
  const { child, url, usage } = await forkGateway(gateway);
  try {
    const before = await usage();
    let heads = 0;
    const refused: string[] = [];
    const asked = Array.from({ length: STREAMS }, (_, i) => {
      const one = request(`${url}/v1/runs/${ids[i % runs]}/events`, {
        agent: false,
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      one.on('response', (answer) => {
        if (answer.statusCode === 200) answer.once('data', () => heads++);
        else answer.once('data', (data) => refused.push(`${answer.statusCode}: ${data}`));
        answer.resume();
        answer.on('error', () => undefined);
      });
      one.on('error', () => undefined);
      one.end();
      return one;
    });
    await until(() => heads + refused.length === STREAMS);
    expect(refused).toEqual([]);
    // Until all looks have found that nothing happens.
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    let last = await usage();
    const cpus: number[] = [];
    do {
      await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
      const now = await usage();
      cpus.push((now.cpu - last.cpu) / 1e6 / SECONDS);
      last = now;
    } while (Math.min(...cpus) > MOST_CPU && cpus.length < MEASUREMENTS);
    const kb = Math.round((last.rss - before.rss) / 1024 / STREAMS);
    const heapKb = Math.round((last.heap - before.heap) / 1024 / STREAMS);
    const percents = cpus.map((cpu) => `${Math.round(cpu * 100)} %`).join(', ');
    process.stdout.write(
      `${STREAMS} streams of ${runs} runs: ${kb} KB each (heap ${heapKb} KB), ${percents} of a core\n`,
    );
    for (const one of asked) one.destroy();
    expect(kb).toBeLessThanOrEqual(MOST_KB);
    expect(Math.min(...cpus)).toBeLessThanOrEqual(MOST_CPU);
  } finally {
    child.kill();
  }
});
