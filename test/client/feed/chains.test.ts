import { deflateRawSync } from 'node:zlib';
import { defaultPayloadConverter, toPayloads } from '@temporalio/common';
import fc from 'fast-check';
import { joinFeed } from '../../../client/feed/feeds';
import { until } from '../../until';
import { FakeServer, ServedRun } from './watched-run';

/** Numbers of the facts that a reader gets; a gap has the number of its last fact. */
async function read(server: FakeServer, after = 0, seqs: number[] = []) {
  const feed = joinFeed(server.client, 'r');
  const gaps: unknown[] = [];
  try {
    for await (const fact of feed.facts(after, new AbortController().signal)) {
      seqs.push(fact.seq);
      if (fact.type === 'facts.missing') gaps.push({ from: fact.from, to: fact.to });
    }
    return { seqs, gaps };
  } finally {
    feed.leave();
  }
}

const upTo = (last: number, after = 0) => Array.from({ length: last - after }, (_, i) => after + 1 + i);

interface Part {
  facts: number;
  leaves: boolean;
  deleted: boolean;
}

/** A run that has gone on in a new history after each of these, and has ended in the last. */
function chainOf(parts: readonly Part[]): FakeServer {
  const server = new FakeServer();
  let run = new ServedRun('h0');
  parts.forEach(({ facts, leaves, deleted }, i) => {
    run.tell(facts);
    server.runs.push(run);
    if (deleted) server.deleted.add(run.runId);
    run = run.moveTo(`h${i + 1}`, leaves);
  });
  run.tell(2);
  run.close('COMPLETED');
  server.runs.push(run);
  return server;
}

const parts = fc.array(
  fc.record({ facts: fc.integer({ min: 1, max: 9 }), leaves: fc.boolean(), deleted: fc.boolean() }),
  { maxLength: 6 },
);

it('gives each fact of a chain once, from its histories or by query, with one gap for each history that is gone', async () => {
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 0, max: 40 }), async (histories, later) => {
      const server = chainOf(histories);
      const { last } = server.now;
      const after = Math.min(later, last);
      const seqs: number[] = [];
      const gaps: unknown[] = [];
      let seq = 0;
      for (const { facts, deleted } of histories) {
        const from = Math.max(seq, after) + 1;
        seq += facts;
        if (from > seq) continue;
        seqs.push(...(deleted ? [seq] : upTo(seq, from - 1)));
        if (deleted) gaps.push({ from, to: seq });
      }
      seqs.push(...upTo(last, Math.max(seq, after)));
      expect(await read(server, after)).toEqual({ seqs, gaps });
    }),
    { numRuns: 200 },
  );
});

it('asks a worker only about the newest history, if the earlier ones have left their facts', async () => {
  const server = chainOf(Array.from({ length: 30 }, () => ({ facts: 100, leaves: true, deleted: false })));
  expect((await read(server)).seqs).toEqual(upTo(3002));
  expect(server.asked.query).toBeLessThan(5);
  // Each history is fetched for the check whether it is there, and perhaps for its end.
  expect(server.asked.history).toBeLessThan(100);
});

it('follows a run from one history to the next', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(4);
  const seqs: number[] = [];
  const reading = read(server, 0, seqs);
  for (const runId of ['b', 'c', 'd']) {
    const { last } = server.now;
    await until(async () => seqs.at(-1) === last, 'the facts so far');
    server.now.tell(3);
    const next = server.now.moveTo(runId);
    server.runs.push(next);
    next.tell(2);
  }
  server.now.close('COMPLETED');
  expect((await reading).seqs).toEqual(upTo(19));
});

it('does not follow a history that a reset has taken out of the chain', async () => {
  const server = chainOf([
    { facts: 4, leaves: true, deleted: false },
    { facts: 5, leaves: true, deleted: false },
  ]);
  const again = server.run('h0').moveTo('reset');
  again.tell(1);
  again.close('COMPLETED');
  server.runs.push(again);
  expect((await read(server)).seqs).toEqual(upTo(5));
});

const packed = (value: unknown) => new Uint8Array(deflateRawSync(JSON.stringify(value)));

it.each<[string, unknown]>([
  ['text', 'left'],
  ['bytes that are not deflated', new Uint8Array([1, 2, 3])],
  ['no JSON', new Uint8Array(deflateRawSync('{'))],
  ['null', packed(null)],
  ['no facts', packed({ chainId: 'chain' })],
  ['an empty list', packed({ chainId: 'chain', facts: [] })],
  ['facts without numbers', packed({ chainId: 'chain', facts: [{}, {}] })],
  ['facts that are none', packed({ chainId: 'chain', facts: [null, 'x', 3] })],
  ['100 MB of zeros', new Uint8Array(deflateRawSync(Buffer.alloc(100_000_000)))],
])('queries a history that has left something else: %s', async (_, left) => {
  const server = chainOf([{ facts: 4, leaves: true, deleted: false }]);
  server.run('h0').passedOn = toPayloads(defaultPayloadConverter, {}, left);
  expect((await read(server)).seqs).toEqual(upTo(6));
});
