import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { AgentClient } from '../../client/agent-client';
import { loadConfig } from '../../runtime/config/config';
import { type Figure, scaled } from '../figure';
import { short } from '../pairs';
import { sizeOf } from '../side';
import { Stage } from '../stage';

const TURNS = 1_000;
/** Milliseconds after which a reader that knows everything waits, and receives what is sent to those who wait. */
const SETTLED = 3_000;

/** Bytes do not depend on the machine, so there is one measurement. Bare has no facts to follow. */
export const followBytes: Figure = {
  name: 'follow_bytes',
  what: `bytes that a reader which has every fact receives in ${SETTLED / 1000} s, connection included, of an open run of ${TURNS} turns`,
  unit: 'KB',
  bar: { on: 'value', max: 200 },
  async measure(settings) {
    const stage = await Stage.open(settings);
    const counter = await countingProxy(stage.server.address);
    try {
      const turns = scaled(settings, TURNS);
      const run = await stage.agents.start('bench.following', { input: { turns } });
      let after = 0;
      for await (const { type, seq } of run.facts()) {
        after = seq;
        if (type === 'exchange.end') break;
      }
      const history = await sizeOf(run.workflow);
      const defaults = await loadConfig({ cwd: '/', env: {} });
      const config = { ...defaults, temporal: { ...defaults.temporal, address: counter.address } };
      const client = await AgentClient.connect({ config });
      const signal = AbortSignal.timeout(SETTLED);
      for await (const { seq } of client.get(run.id).facts({ after, signal })) throw new Error(`Fact ${seq} was known`);
      const value = counter.received() / 1000;
      await client.close();
      await run.cancel();
      return { value, note: `${after} facts; the history has ${short(history.bytes / 1000)} KB` };
    } finally {
      await counter.close();
      await stage.close();
    }
  },
};

/** Passes connections on to a server, and counts what comes back. */
async function countingProxy(to: string) {
  const [host = '', port = ''] = to.split(':');
  let received = 0;
  const server = createServer((near) => {
    const far = connect(Number(port), host);
    far.on('data', (chunk: Buffer) => {
      received += chunk.length;
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    close: async () => void server.close(),
  };
}
