import { setTimeout } from 'node:timers/promises';
import type { Fact } from '../../../../agent/protocol/facts/fact';
import { followRun } from '../../../../cli/runs/run';
import { newGate } from '../../../gate';

const asked = (toolUseId: string): Fact => ({
  type: 'approval.requested',
  turn: 1,
  toolUseId,
  name: 'refund',
  input: {},
  hash: 'h',
  seq: 1,
  time: 0,
  exchange: 1,
});
const decided: Fact = { ...asked('t1.1'), type: 'approval.decided', decision: 'approve', by: 'ann' } as Fact;
const about = { seq: 1, time: 0, exchange: 1 };
const answered: Fact = { ...about, type: 'exchange.end', turn: 1, reason: 'completed', data: 'Hello' };
const begun: Fact = { ...about, type: 'exchange.start' };
const NOTHING = { approvals: [], questions: [] };
const RESULT = { data: 'done', usage: { prompt: 1, completion: 2 }, executionUnits: 3, calls: { model: 1, tool: 0 } };

/** Follows a run that ends as soon as the line of `last` is printed. */
async function follow(facts: readonly Fact[], last: string, then: readonly Fact[] = []): Promise<string[]> {
  const err: string[] = [];
  const { open: goOn, opened: said } = newGate();
  const untilSaid = async function* () {
    yield* facts;
    await said;
    yield* then;
    await setTimeout(30);
  };
  const run = {
    id: 'mail-1',
    facts: untilSaid,
    events: untilSaid,
    result: async () => RESULT,
    cancel: async () => {},
    waiting: async () => NOTHING,
  };
  await followRun(run, {
    json: false,
    out: () => {},
    err: (line) => {
      err.push(line);
      if (line === last) goOn();
    },
    diagnose: async () => undefined,
    quiet: 5,
  });
  return err.filter((line) => /^(wait|note {2}the run)/.test(line));
}

it('prints the commands that a waiting run needs once nothing happens', async () => {
  const commands = ['t1.1', 't1.2'].map((id) => `wait  holdfast approve mail-1 ${id}`);
  expect(await follow([asked('t1.1'), asked('t1.2')], commands[1] ?? '')).toEqual(commands);
});

it('prints nothing about a wait that is over', async () => {
  const second = 'wait  holdfast approve mail-1 t1.2';
  expect(await follow([asked('t1.1'), asked('t1.2'), decided], second)).toEqual([second]);
});

describe('a conversation that waits for the next message', () => {
  const lines = [
    'note  the run waits for the next message; Ctrl-C cancels the run',
    "wait  holdfast send mail-1 '…'",
    'wait  holdfast close mail-1',
  ];

  it('says so once, with how to send one and how to end the run', async () => {
    expect(await follow([answered], lines[2] ?? '', [begun, answered])).toEqual(lines);
  });

  it('does not say so while an exchange is in progress', async () => {
    const command = 'wait  holdfast approve mail-1 t1.1';
    expect(await follow([answered, begun, asked('t1.1')], command)).toEqual([command]);
  });
});

describe('a run that waits for its model', () => {
  const failed = (attempt: number): Fact => ({
    ...{ ...about, type: 'model.waiting', turn: 1, model: 'default', attempt, nextAt: 60_000 },
    error: { type: 'ModelUnavailable', message: 'no answer' },
  });
  const lines = ['wait  holdfast retry mail-1', "wait  holdfast switch-model mail-1 '…'"];

  it('names both ways out, once for each outage', async () => {
    expect(await follow([failed(1)], lines[1] ?? '', [failed(2)])).toEqual(lines);
  });

  it('does not name them once another model has taken over', async () => {
    const error = { type: 'ModelUnavailable', message: 'no answer' };
    const switched: Fact = { ...about, type: 'model.switched', turn: 1, from: 'a', to: 'b', why: 'failed', error };
    const command = 'wait  holdfast approve mail-1 t1.1';
    expect(await follow([failed(1), switched, asked('t1.1')], command)).toEqual([command]);
  });
});
