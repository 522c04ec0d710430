import { once } from 'node:events';
import { HoldfastError } from '../../../agent/errors/error';
import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { outageText } from '../../../agent/state/outage-text';
import { type Follow, followRun } from '../../../cli/runs/run';
import { newGate } from '../../gate';
import { until } from '../../until';

const START: Fact = { type: 'loop.start', agent: 'support.triage', seq: 1, time: 0, exchange: 1 };
const END: Fact = {
  ...{ type: 'loop.end', reason: 'completed', turns: 1, usage: { prompt: 1, completion: 2 }, executionUnits: 3 },
  ...{ seq: 2, time: 0, exchange: 1 },
};
const NOTHING = { approvals: [], questions: [] };
const RESULT = {
  data: { queue: 'billing' },
  usage: { prompt: 1, completion: 2 },
  executionUnits: 3,
  calls: { model: 1, tool: 0 },
};

function follow(
  facts: (options: { signal: AbortSignal }) => AsyncIterable<Fact>,
  options: Partial<Pick<Follow, 'json' | 'verbose' | 'diagnose' | 'absence'>> = {},
) {
  const [out, err]: [string[], string[]] = [[], []];
  const run = {
    id: 'mail-1',
    facts,
    events: facts,
    result: async () => RESULT,
    cancel: async () => {},
    waiting: async () => NOTHING,
  };
  const { json = false, verbose = false, diagnose = async () => undefined, absence } = options;
  const done = followRun(run, {
    json,
    verbose,
    diagnose,
    out: (l) => out.push(l),
    err: (l) => err.push(l),
    silence: 5,
    absence,
  });
  return { out, err, done };
}

describe('following a run', () => {
  it('shows what it took, and only the result on standard output', async () => {
    const { out, err, done } = follow(async function* () {
      yield START;
      yield END;
    });
    await done;
    expect(err).toEqual(['run   mail-1', 'done  1 turn, 1 + 2 tokens, 0.0 s']);
    expect(JSON.parse(out.join('\n'))).toEqual({ queue: 'billing' });
  });

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

  it('shows each fact with its number on request', async () => {
    const { err, done } = follow(
      async function* () {
        yield START;
        yield END;
      },
      { verbose: true },
    );
    await done;
    expect(err).toEqual([
      'run   mail-1',
      '   1  loop.start      support.triage',
      '   2  loop.end        completed after 1 turn, 1 + 2 tokens',
    ]);
  });

  it('does not print an answer again that is on the same screen', async () => {
    const answer = { role: 'assistant' as const, turn: 1, parts: [{ type: 'text' as const, text: 'Yes.' }] };
    const about = { seq: 1, time: 0, exchange: 1 };
    const events = async function* (): AsyncGenerator<Fact | StreamDelta> {
      yield { ...about, type: 'loop.iteration', turn: 1, lifecycle: 'init' };
      yield { id: 'mail-1', turn: 1, callId: 'c', attempt: 1, seq: 0, type: 'stream.text', text: 'Yes.' };
      yield { ...about, type: 'message', turn: 1, index: 0, message: answer };
      yield END;
    };
    const run = {
      ...{ id: 'mail-1', facts: async function* () {}, events, cancel: async () => {}, waiting: async () => NOTHING },
      result: async () => ({ ...RESULT, data: 'Yes.' }),
    };
    const print = async (oneScreen: boolean) => {
      const [out, err]: [string[], string[]] = [[], []];
      await followRun(run, {
        ...{ json: false, oneScreen, diagnose: async () => undefined },
        ...{ out: (line) => out.push(line), err: (line) => err.push(line) },
      });
      return { out, err };
    };
    const err = ['run   mail-1', 'text  Yes.', 'done  1 turn, 1 + 2 tokens'];
    expect(await print(true)).toEqual({ err, out: [] });
    expect(await print(false)).toEqual({ err, out: ['Yes.'] });
  });

  it('prints lines of JSON on request', async () => {
    const { out, err, done } = follow(
      async function* () {
        yield START;
      },
      { json: true },
    );
    await done;
    expect(out.map((line) => JSON.parse(line))).toEqual([START, { type: 'result', id: 'mail-1', ...RESULT }]);
    expect(err).toEqual([]);
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
