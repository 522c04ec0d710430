import type { Fact, FactBody } from '../../../agent/protocol/facts/fact';
import { scaleOf } from '../../../client/web/timeline/scale';
import { exchangesOf, spansOf } from '../../../client/web/timeline/spans-of';

/** Facts at these times, of one exchange unless they say another. */
function factsAt(...given: [time: number, fact: object, exchange?: number][]): Fact[] {
  return given.map(([time, fact, exchange = 1], i) => ({ ...(fact as FactBody), seq: i + 1, time, exchange }));
}

const think = { type: 'loop.iteration', turn: 1, lifecycle: 'first' };
const used = { type: 'usage', turn: 1, model: 'small' };
const call = { type: 'tool.call', turn: 1, toolUseId: 't1.1', name: 'lookup', input: {} };
const result = { type: 'tool.result', turn: 1, toolUseId: 't1.1', name: 'lookup', content: [] };

describe('the spans of an exchange', () => {
  it('has one for each model call and each tool call', () => {
    const spans = spansOf(factsAt([0, think], [30, used], [31, call], [50, result]));
    expect(spans).toMatchObject([
      { kind: 'model', label: 'small, turn 1', start: 0, end: 30, failed: false },
      { kind: 'tool', label: 'lookup', start: 31, end: 50, failed: false },
    ]);
  });

  it('shows a call that ran with the answer where it ran', () => {
    const [, tool] = spansOf(
      factsAt([0, think], [30, used], [31, call], [31, { ...result, ran: { start: 20, end: 28 } }]),
    );
    expect(tool).toMatchObject({ start: 20, end: 28 });
  });

  it('shows an outage between a failed call and the next one', () => {
    const waiting = {
      type: 'model.waiting',
      turn: 1,
      model: 'small',
      attempt: 1,
      nextAt: 90,
      error: { message: 'busy' },
    };
    expect(spansOf(factsAt([0, think], [30, waiting], [100, used]))).toMatchObject([
      { kind: 'model', start: 0, end: 30, failed: true, notes: ['try 1 failed: busy'] },
      { kind: 'wait', start: 30, end: 90 },
      { kind: 'model', start: 90, end: 100, failed: false },
    ]);
  });

  it('shows how long a person took, and what was decided', () => {
    const about = { turn: 1, toolUseId: 't1.1', name: 'refund' };
    const asked = { type: 'approval.requested', ...about };
    const denied = { type: 'approval.decided', ...about, decision: 'deny', by: 'ann' };
    expect(spansOf(factsAt([5, asked], [905, denied]))).toMatchObject([
      { kind: 'wait', start: 5, end: 905, failed: true, notes: ['denied by ann'] },
    ]);
  });

  it('says why a model call failed that ended the exchange', () => {
    const end = {
      type: 'exchange.end',
      reason: 'failed',
      turn: 1,
      error: { type: 'ModelRefused', message: 'Too long' },
    };
    expect(spansOf(factsAt([0, think], [30, end]), 30)[0]).toMatchObject({
      end: 30,
      failed: true,
      notes: ['Too long'],
    });
  });

  it('leaves open what has not ended, and ends it with the exchange', () => {
    expect(spansOf(factsAt([0, think]))[0]).not.toHaveProperty('end');
    expect(spansOf(factsAt([0, think]), 70)[0]).toMatchObject({ end: 70, failed: true });
  });
});

it('facts are shown by exchange, with the message that each answers', () => {
  const message = (text: string) => ({
    type: 'message',
    turn: 0,
    index: 0,
    message: { role: 'user', parts: [{ type: 'text', text }] },
  });
  const end = { type: 'exchange.end', reason: 'completed', turn: 1 };
  const exchanges = exchangesOf(
    factsAt([0, { type: 'loop.start', agent: 'a' }, 0], [10, message('one')], [20, end], [90, message('two'), 2]),
  );
  expect(exchanges).toMatchObject([
    { number: 1, asked: 'one', end: 20, reason: 'completed' },
    { number: 2, asked: 'two', start: 90 },
  ]);
});

describe('the scale of a timeline', () => {
  const span = (kind: 'model' | 'wait', start: number, end: number) => ({
    key: '',
    kind,
    label: '',
    start,
    end,
    failed: false,
    notes: [],
  });

  it('is linear without waits', () => {
    const scale = scaleOf([span('model', 0, 50), span('model', 50, 100)], 0, 100);
    expect([0, 25, 50, 100].map(scale.at)).toEqual([0, 0.25, 0.5, 1]);
    expect(scale.breaks).toEqual([]);
  });

  it('leaves most of the picture to the work when a person took days', () => {
    const scale = scaleOf(
      [span('model', 0, 100), span('wait', 100, 1_000_000), span('model', 1_000_000, 1_000_100)],
      0,
      1_000_100,
    );
    expect(scale.at(100)).toBeCloseTo(0.325);
    expect(scale.at(1_000_000)).toBeCloseTo(0.675);
    expect(scale.breaks).toEqual([{ start: 100, end: 1_000_000 }]);
  });

  it('shows an exchange that only waits in its whole width', () => {
    expect(scaleOf([span('wait', 0, 80)], 0, 80).at(40)).toBe(0.5);
  });
});
