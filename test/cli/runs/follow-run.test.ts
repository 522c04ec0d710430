import type { Fact } from '../../../agent/protocol/facts/fact';
import type { StreamDelta } from '../../../agent/protocol/stream';
import { followRun } from '../../../cli/runs/run';
import { END, follow, NOTHING, RESULT, START } from './follow-stage';

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
});
