import { AgentClient } from 'holdfast/client';
import { createGateway, gatewayOf } from 'holdfast/server';
import { SILENT_LOG } from '../../../runtime/log';
import { SlowTemporal } from './slow-temporal';

const TOKEN = 'token-of-this-machine';
const READERS = 1000;

/** What each of a thousand readers gets, of runs of their own, or of a few. */
async function storm(runs: number, perSecond: number, stall = 0) {
  const server = new SlowTemporal(perSecond, stall);
  const { fetch: answer, drain } = createGateway({
    client: new AgentClient(server.client),
    agents: [],
    localToken: TOKEN,
    user: 'ann',
    log: SILENT_LOG,
    page: null,
    config: gatewayOf({ limits: { requests: 1_000_000, streams: READERS } }),
  });
  const open = async (i: number) => {
    const url = `http://127.0.0.1:4080/v1/runs/local:r${i % runs}/events`;
    const headers = { host: '127.0.0.1:4080', authorization: `Bearer ${TOKEN}` };
    const response = await answer(new Request(url, { headers }));
    if (response.status !== 200) return `${response.status}`;
    let heard = '';
    for await (const bytes of response.body ?? []) {
      heard += Buffer.from(bytes).toString();
      if (heard.includes('"seq":3') || heard.includes('event: error')) break;
    }
    return heard.includes('event: error') ? heard : 'all facts';
  };
  const got = await Promise.all(Array.from({ length: READERS }, (_, i) => open(i)));
  drain();
  const ends: Record<string, number> = {};
  for (const one of got) ends[one] = (ends[one] ?? 0) + 1;
  return { ends, server };
}

test('a thousand readers who come at once all get their facts from a busy server, which is asked a few things at a time', async () => {
  // More than a call waits for the server.
  const { ends, server } = await storm(READERS, 300, 6_000);
  expect(ends).toEqual({ 'all facts': READERS });
  // The line, and the looks at those that are open already.
  expect(server.mostInProgress).toBeLessThan(80);
  expect(server.asked.query).toBe(READERS);
}, 120_000);

test('those who read the same runs share what is asked', async () => {
  const { ends, server } = await storm(10, 30);
  expect(ends).toEqual({ 'all facts': READERS });
  expect(server.asked.history).toBe(10);
  expect(server.asked.query).toBe(10);
}, 120_000);
