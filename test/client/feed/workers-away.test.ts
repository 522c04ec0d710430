import { setTimeout as delay } from 'node:timers/promises';
import { joinFeed } from '../../../client/feed/feeds';
import type { FeedReading } from '../../../client/feed/run-feed';
import { RunHandle } from '../../../client/runs/run-handle';
import { until } from '../../until';
import { FakeServer, ServedRun } from './watched-run';

/** Reads to the end of the run, and keeps the numbers of the facts. */
function follow(server: FakeServer, how: FeedReading, signal = new AbortController().signal) {
  const seqs: number[] = [];
  const feed = joinFeed(server.client, 'r');
  const read = async () => {
    try {
      for await (const { seq } of feed.facts(0, signal, how)) seqs.push(seq);
    } finally {
      feed.leave();
    }
  };
  const end = read();
  end.catch(() => undefined);
  return { seqs, end };
}

/** A run whose reader has its two facts, and whose third comes while no worker is there. */
async function deserted(how: FeedReading, signal?: AbortSignal) {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(2);
  const reader = follow(server, how, signal);
  await until(() => reader.seqs.length === 2, 'the first facts');
  server.isDeserted = true;
  server.now.tell();
  return { server, ...reader };
}

const PATIENT: FeedReading = { workerTimeout: 200, followsOn: true };

it('goes on with the next fact when a worker is back after longer than `workerTimeout`', async () => {
  const { server, seqs, end } = await deserted(PATIENT);
  await delay(1_000);
  server.isDeserted = false;
  server.now.tell();
  server.now.close('COMPLETED');
  await end;
  expect(seqs).toEqual([1, 2, 3, 4]);
}, 20_000);

it('asks once in five seconds while no worker is there, and for a reader that leaves no more', async () => {
  const left = new AbortController();
  const { server, end } = await deserted(PATIENT, left.signal);
  await delay(1_000);
  const { query } = server.asked;
  await delay(6_000);
  expect(server.asked.query - query).toBeLessThanOrEqual(4);
  left.abort();
  await expect(end).rejects.toMatchObject({ name: 'AbortError' });
  const after = server.asked.query;
  await delay(6_000);
  expect(server.asked.query).toBe(after);
}, 30_000);

it('fails for a reader with a `workerTimeout` of its own', async () => {
  const { end } = await deserted({ workerTimeout: 200 });
  await expect(end).rejects.toMatchObject({ type: 'NoWorker' });
});

it('fails for a reader who has not been answered yet, and for that of a run that has closed', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(2);
  server.isDeserted = true;
  await expect(follow(server, PATIENT).end).rejects.toMatchObject({ type: 'NoWorker' });

  const { server: other, end } = await deserted(PATIENT);
  other.now.close('TERMINATED');
  await expect(end).rejects.toMatchObject({ type: 'NoWorker' });
}, 20_000);

it('takes no earlier history for lost while no worker at all is there', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(2);
  const { seqs, end } = follow(server, PATIENT);
  await until(() => seqs.length === 2, 'the first facts');
  server.isDeserted = true;
  server.now.tell(2);
  // The end of the history does not have its facts.
  server.runs.push(server.now.moveTo('b', false));
  await delay(1_000);
  server.isDeserted = false;
  server.now.tell();
  server.now.close('COMPLETED');
  await end;
  expect(seqs).toEqual([1, 2, 3, 4, 5]);
}, 20_000);

it('follows with the patience of each reader, though they share a feed', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(2);
  const patient = follow(server, PATIENT);
  const impatient = follow(server, { workerTimeout: 100 });
  await until(() => patient.seqs.length + impatient.seqs.length === 4, 'the first facts');
  server.isDeserted = true;
  server.now.tell();
  await expect(impatient.end).rejects.toMatchObject({ type: 'NoWorker' });
  server.isDeserted = false;
  server.now.close('COMPLETED');
  await patient.end;
  expect(patient.seqs).toEqual([1, 2, 3]);
}, 20_000);

it('waits for a person who is asked after workers were away', async () => {
  const server = new FakeServer(new ServedRun('a'));
  server.now.tell(1);
  const asked = { approvals: [], services: [], questions: [], models: [] };
  server.answers['holdfast.pending'] = () => asked;
  const run = new RunHandle(server.client, 'r', { workerTimeout: 200, followsOn: true });
  const waiting = run.waiting({ atLeast: { questions: 1 } });
  await until(() => server.asked.query === 1, 'the first look');
  server.isDeserted = true;
  server.now.tell();
  await delay(1_000);
  server.answers['holdfast.pending'] = () => ({ ...asked, questions: [{ questionId: 'q' }] });
  server.isDeserted = false;
  expect(await waiting).toMatchObject({ questions: [{ questionId: 'q' }] });
}, 20_000);
