import { HoldfastError } from '../../../agent/errors/error';
import type { Fact } from '../../../agent/protocol/fact';
import { followRun } from '../../../cli/runs/run';
import { newGate } from '../../gate';

const START: Fact = { type: 'loop.start', agent: 'support.triage', seq: 1, time: 0, exchange: 1 };
const RESULT = { data: { queue: 'billing' }, usage: { prompt: 1, completion: 2 }, executionUnits: 3 };

function follow(
  facts: () => AsyncIterable<Fact>,
  options: { json?: boolean; diagnose?: () => Promise<string | undefined> } = {},
) {
  const [out, err]: [string[], string[]] = [[], []];
  const run = { id: 'mail-1', facts, events: facts, result: async () => RESULT, cancel: async () => {} };
  const { json = false, diagnose = async () => undefined } = options;
  const done = followRun(run, { json, diagnose, out: (l) => out.push(l), err: (l) => err.push(l), silence: 5 });
  return { out, err, done };
}

describe('following a run', () => {
  it('shows each fact, then only the result on standard output', async () => {
    const { out, err, done } = follow(async function* () {
      yield START;
    });
    await done;
    expect(err).toEqual(['run   mail-1', '   1  loop.start      support.triage', 'done  1 + 2 tokens']);
    expect(JSON.parse(out.join('\n'))).toEqual({ queue: 'billing' });
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
});
