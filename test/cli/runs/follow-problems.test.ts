import { once } from 'node:events';
import { HoldfastError } from '../../../agent/errors/error';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { outageText } from '../../../agent/state/outage-text';
import { followRun } from '../../../cli/runs/run';
import { newGate } from '../../gate';
import { until } from '../../until';
import { END, follow, NOTHING, RESULT, START } from './follow-stage';

describe('while nothing happens in a run', () => {
  it('tells an outage of its model once, whether its fact or a look comes first, and one without a fact in the second look', async () => {
    const since = 1_700_000_000_000;
    const error = { type: 'ModelUnavailable', message: 'it did not answer' };
    const away = outageText({ model: 'default', since, failures: 1, error, nextAt: since });
    const waiting = {
      type: 'model.waiting',
      turn: 1,
      model: 'default',
      error,
      attempt: 1,
      since,
      nextAt: since,
    } as const;
    let looks = 0;
    const late = newGate();
    const { err, done } = follow(
      async function* () {
        yield START;
        await late.opened;
        yield { ...waiting, seq: 2, time: since, exchange: 1 };
        // Looks go on.
        await until(() => looks > 3, 'more looks');
        yield { ...END, seq: 3 };
      },
      {
        diagnose: async () => {
          if (++looks === 1) late.open();
          return away;
        },
      },
    );
    await done;
    expect(err.filter((line) => line.includes('given no answer'))).toHaveLength(1);

    let unseen = 0;
    const without = follow(
      async function* () {
        await until(() => unseen > 3, 'looks');
        yield END;
      },
      {
        diagnose: async () => {
          unseen++;
          return away;
        },
      },
    );
    await without.done;
    expect(without.err.filter((line) => line.includes('given no answer'))).toHaveLength(1);
  });

  it('reports a problem once while nothing happens', async () => {
    let asked = 0;
    const { open: goOn, opened: enough } = newGate();
    const problem = new HoldfastError('NoWorker', { taskQueue: 'holdfast' }).message;
    const { err, done } = follow(
      async function* () {
        await enough;
        yield START;
      },
      {
        diagnose: async () => {
          asked += 1;
          if (asked === 3) goOn();
          return problem;
        },
      },
    );
    await done;
    expect(err.filter((line) => line.includes(problem))).toHaveLength(1);
  });

  it('reports an attempt once, also when it begins to answer, or people write meanwhile; the same of a later call again', async () => {
    const problem = 'asking the model: attempt 2, 503';
    const about = { seq: 1, time: 0, exchange: 1 };
    const clear = { id: 'mail-1', turn: 1, callId: 'c', attempt: 2, seq: 0, type: 'stream.clear' } as never;
    let asked = newGate();
    const looked = async () => {
      asked = newGate();
      await asked.opened;
    };
    const events = async function* (): AsyncGenerator<Fact | StreamDelta> {
      await looked();
      yield clear;
      await looked();
      yield { ...about, type: 'message.received', into: 1, ahead: 0 };
      await looked();
      yield { ...about, type: 'loop.iteration', turn: 2, lifecycle: 'tool_result' };
      await looked();
      yield END;
    };
    const run = {
      id: 'mail-1',
      facts: async function* () {},
      events,
      cancel: async () => {},
      waiting: async () => NOTHING,
    };
    const err: string[] = [];
    await followRun(
      { ...run, result: async () => RESULT },
      {
        ...{ json: false, silence: 10, out: () => {}, err: (line) => err.push(line) },
        diagnose: async () => {
          // What it found is told before the next event comes.
          setImmediate(() => asked.open());
          return problem;
        },
      },
    );
    expect(err.filter((line) => line.includes(problem))).toHaveLength(2);
  });

  it('reports no earlier attempt after a later one, when looks overtake each other', async () => {
    const { open: goOn, opened: enough } = newGate();
    const second = newGate();
    const found = ['attempt 2, 503', 'attempt 2, 503', 'attempt 3, 503'];
    let asked = 0;
    const { err, done } = follow(
      async function* () {
        await enough;
        yield START;
      },
      {
        diagnose: async () => {
          const look = asked++;
          if (look === 1) await second.opened;
          if (look === 2) setImmediate(() => second.open());
          if (look === 3) goOn();
          return found[look];
        },
      },
    );
    await done;
    expect(err.filter((line) => line.includes('attempt'))).toEqual([
      expect.stringContaining('attempt 2'),
      expect.stringContaining('attempt 3'),
    ]);
  });

  it('says so when the server is gone', async () => {
    const { open: goOn, opened: enough } = newGate();
    const gone = new HoldfastError('NoServer', { problem: 'connection refused' });
    const { err, done } = follow(
      async function* () {
        await enough;
        yield START;
      },
      {
        diagnose: async () => {
          goOn();
          throw gone;
        },
      },
    );
    await done;
    expect(err.filter((line) => line.includes(gone.message))).toHaveLength(1);
  });

  it('gives up when the server stays away', async () => {
    const gone = new HoldfastError('NoServer', { problem: 'connection refused' });
    const { done } = follow(
      async function* ({ signal }) {
        yield START;
        await once(signal, 'abort');
      },
      { diagnose: () => Promise.reject(gone), absence: 20 },
    );
    await expect(done).rejects.toBe(gone);
  });
});
