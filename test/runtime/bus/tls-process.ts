import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../../agent/define/context';
import { openBus, openWorkerBus } from '../../../runtime/bus/open-bus';
import { checkRedis } from '../../../runtime/bus/redis/check-redis';
import type { BusConfig } from '../../../runtime/config/bus';

/** What became of an answer that a worker streamed to a reader. */
export interface Passed {
  text: string;
  /** What `holdfast doctor` says. */
  problem?: string;
  /** The log. */
  logged: object[];
}

/** Milliseconds that the answer may take. */
const LIMIT = 10_000;
const temporal = { address: 'localhost:7233', namespace: 'tls', taskQueue: 'holdfast' };

/** A worker and a reader in a separate process, since Node reads NODE_EXTRA_CA_CERTS when it starts. */
async function main(bus: BusConfig): Promise<void> {
  const logged: object[] = [];
  const note = (fields: object) => void logged.push(fields);
  const log: Log = { debug() {}, info: note, warn: note, error: note };
  const worker = openWorkerBus({ bus, temporal }, log);
  const end = await worker.serve();
  const reader = openBus({ bus, temporal }, { log });
  let text = '';
  reader.subscribe('r1', (delta) => {
    if (delta.type === 'stream.text') text += delta.text;
  });
  const place = { type: 'stream.text', id: 'r1', turn: 1, callId: 'c', attempt: 1 } as const;
  for (const [seq, word] of ['one ', 'two ', 'three'].entries()) worker.bus.publish({ ...place, text: word, seq });
  for (const until = Date.now() + LIMIT; text !== 'one two three' && logged.length < 2 && Date.now() < until; ) {
    await delay(20);
  }
  const problem = await checkRedis(bus);
  reader.close();
  await end();
  process.stdout.write(
    JSON.stringify({ text, logged, ...(problem === undefined ? {} : { problem }) } satisfies Passed),
  );
}

void main(JSON.parse(process.argv[2] ?? '{}') as BusConfig);
