import { request } from 'node:http';
import { text } from 'holdfast/testing';
import { forkGateway } from './fork-gateway';
import { desk, type GatewayKit, startGatewayKit, TOKEN } from './kit';
import { until } from './until';

const STREAMS = 1000;
/** Seconds of one measurement, in which nothing happens. */
const SECONDS = 10;
/** Other work on the machine, and code that is not compiled yet, make a measurement dearer, and never cheaper. */
const MEASUREMENTS = 3;
const MOST_KB = 200;
/**
 * Small calls to Temporal, on the same machine, that an idle second may be worth: a hundred looks, which is their pace, and
 * fifty long polls, of which each lasts 20 s; both have larger answers than a small call.
 */
const MOST_CALLS = 300;

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
  const { child, url, usage, callCost } = await forkGateway(gateway);
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
    const seconds: number[] = [];
    for (let n = 0; n < MEASUREMENTS; n++) {
      await new Promise((resolve) => setTimeout(resolve, SECONDS * 1000));
      const now = await usage();
      seconds.push((now.cpu - last.cpu) / SECONDS);
      last = now;
    }
    for (const one of asked) one.destroy();
    const costs: number[] = [];
    for (let n = 0; n < MEASUREMENTS; n++) costs.push(await callCost());
    const kb = Math.round((last.rss - before.rss) / 1024 / STREAMS);
    const heapKb = Math.round((last.heap - before.heap) / 1024 / STREAMS);
    const calls = Math.round(Math.min(...seconds) / Math.min(...costs));
    const percents = seconds.map((cpu) => `${Math.round(cpu / 1e4)} %`).join(', ');
    process.stdout.write(
      `${STREAMS} streams of ${runs} runs: ${kb} KB each (heap ${heapKb} KB), ${percents} of a core, worth ${calls} calls\n`,
    );
    expect(kb).toBeLessThanOrEqual(MOST_KB);
    expect(calls).toBeLessThanOrEqual(MOST_CALLS);
  } finally {
    child.kill();
  }
});
