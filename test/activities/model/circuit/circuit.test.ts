import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  Circuit,
  FAILURES,
  OPEN,
  type Outcome,
  type Permit,
  PROBING,
  WINDOW,
} from '../../../../activities/model/circuit/circuit';
import { assertEveryCase } from '../../../every-case';

const answered: Outcome = { type: 'answered' };
const unavailable: Outcome = { type: 'unavailable', problem: '503' };
const unknown: Outcome = { type: 'unknown' };

function entered(circuit: Circuit, now: number): Permit {
  const permit = circuit.enter(now);
  if ('wait' in permit) throw new Error(`refused: ${JSON.stringify(permit)}`);
  return permit;
}
/** One call after the other at these times; returns what the last one changed. */
function calls(circuit: Circuit, outcome: Outcome, ...times: number[]): 'opened' | 'closed' | undefined {
  return times.map((now) => circuit.settle(entered(circuit, now), outcome, now)).at(-1);
}

function opened(): Circuit {
  const circuit = new Circuit();
  expect(calls(circuit, unavailable, 0, 1, 2, 3, 4)).toBe('opened');
  return circuit;
}

describe('a circuit', () => {
  it('opens after five failures in a row within a minute, and says since when and why', () => {
    const circuit = opened();
    expect(circuit.enter(4)).toEqual({ since: 4, problem: '503', wait: OPEN, isProbed: false });
    expect(circuit.enter(4 + OPEN - 1)).toMatchObject({ wait: 1 });
  });

  it.each<[string, Outcome | undefined, number]>([
    ['an answer, a rate limit or a request that is refused was among them', answered, 4],
    ['they took longer than a minute', undefined, WINDOW + 1],
  ])('does not open if %s', (_, between, end) => {
    const circuit = new Circuit();
    calls(circuit, unavailable, 0, 1, 2, 3);
    if (between !== undefined) calls(circuit, between, 3);
    expect(calls(circuit, unavailable, end)).toBeUndefined();
    expect(circuit.enter(end)).toMatchObject({ isProbe: false });
  });

  it('does not count a call that was stopped', () => {
    const circuit = new Circuit();
    calls(circuit, unavailable, 0, 1, 2, 3);
    calls(circuit, unknown, 3);
    expect(calls(circuit, unavailable, 4)).toBe('opened');
  });

  it('lets one probe through, which closes it', () => {
    const circuit = opened();
    const probe = entered(circuit, 4 + OPEN);
    expect(probe.isProbe).toBe(true);
    expect(circuit.enter(4 + OPEN)).toEqual({ since: 4, problem: '503', wait: PROBING, isProbed: true });
    expect(circuit.settle(probe, answered, 20_000)).toBe('closed');
    expect(entered(circuit, 20_000).isProbe).toBe(false);
    // It counts from the start again.
    expect(calls(circuit, unavailable, 20_001)).toBeUndefined();
  });

  it('opens again if the probe fails, with its reason, and tells nothing new', () => {
    const circuit = opened();
    const other = { type: 'unavailable', problem: 'ECONNREFUSED' } as const;
    expect(circuit.settle(entered(circuit, 4 + OPEN), other, 20_000)).toBeUndefined();
    expect(circuit.enter(20_000)).toEqual({ since: 4, problem: 'ECONNREFUSED', wait: OPEN, isProbed: false });
  });

  it('lets another probe through if one was stopped', () => {
    const circuit = opened();
    circuit.settle(entered(circuit, 4 + OPEN), unknown, 20_000);
    expect(entered(circuit, 20_000).isProbe).toBe(true);
  });

  it('ignores calls that began before it opened', () => {
    const circuit = new Circuit();
    const old = [1, 2, 3].map(() => entered(circuit, 0));
    calls(circuit, unavailable, 0, 1, 2, 3, 4);
    for (const permit of old) {
      expect(circuit.settle(permit, answered, 5)).toBeUndefined();
      expect(circuit.settle(permit, unavailable, 5000)).toBeUndefined();
    }
    expect(circuit.enter(4 + OPEN - 1)).toMatchObject({ wait: 1 });
  });
});

type Step =
  | { does: 'wait'; ms: number }
  | { does: 'call' }
  | { does: 'end'; which: number; how: 'answered' | 'unavailable' | 'unknown' };

const steps = fc.array(
  fc.oneof(
    fc.record({ does: fc.constant('wait' as const), ms: fc.constantFrom(1, 100, 4000, OPEN, OPEN, WINDOW) }),
    { weight: 3, arbitrary: fc.record({ does: fc.constant('call' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        does: fc.constant('end' as const),
        which: fc.nat(4),
        how: fc.constantFrom(
          'unavailable',
          'unavailable',
          'unavailable',
          'unavailable',
          'answered',
          'unknown' as const,
        ),
      }),
    },
  ),
  { minLength: 40, maxLength: 160, size: 'max' },
) as fc.Arbitrary<Step[]>;

it('with any order of calls: opens only for five failures in a row, stays open, and lets one call at a time try', () => {
  const seen = { openings: 0, closings: 0 };
  const property = fc.property(steps, (script) => {
    const circuit = new Circuit();
    const running: Permit[] = [];
    let now = 1_000_000;
    /** Outcomes of the calls that began while it was closed, since it was. */
    let row: number[] = [];
    let begunHere = new Set<Permit>();
    let openUntil: number | undefined;
    let probe: Permit | undefined;
    for (const step of script) {
      if (step.does === 'wait') now += step.ms;
      if (step.does === 'call') {
        const permit = circuit.enter(now);
        if ('wait' in permit) {
          assert(openUntil !== undefined);
          assert(permit.wait > 0);
          assert.equal(permit.isProbed, probe !== undefined);
          assert(probe !== undefined || now < (openUntil ?? 0));
        } else {
          // Closed, or the time is over and no other call is trying it.
          assert(openUntil === undefined || (now >= openUntil && probe === undefined));
          assert.equal(permit.isProbe, openUntil !== undefined);
          if (permit.isProbe) probe = permit;
          else begunHere.add(permit);
          running.push(permit);
        }
      }
      if (step.does !== 'end') continue;
      const [permit] = running.splice(step.which % Math.max(1, running.length), 1);
      if (permit === undefined) continue;
      const outcome = step.how === 'unavailable' ? unavailable : { type: step.how };
      const change = circuit.settle(permit, outcome, now);
      if (permit === probe) {
        probe = undefined;
        assert.equal(change, step.how === 'answered' ? 'closed' : undefined);
        openUntil = step.how === 'answered' ? undefined : step.how === 'unknown' ? now : now + OPEN;
        if (step.how === 'answered') {
          seen.closings++;
          row = [];
          begunHere = new Set();
        }
      } else if (openUntil === undefined && begunHere.has(permit)) {
        if (step.how === 'answered') row = [];
        if (step.how === 'unavailable') row.push(now);
        const last = row.slice(-FAILURES);
        const opens = step.how === 'unavailable' && last.length === FAILURES && now - (last[0] ?? 0) <= WINDOW;
        assert.equal(change, opens ? 'opened' : undefined);
        if (opens) {
          seen.openings++;
          openUntil = now + OPEN;
        }
      } else assert.equal(change, undefined);
    }
  });
  assertEveryCase(property, 500, seen, { openings: 51, closings: 6 });
});

it('a call that a person asked for passes a probe that hangs, and the first of both that ends decides', () => {
  const circuit = opened();
  const hangs = entered(circuit, 4 + OPEN);
  const asked = circuit.enter(5 + OPEN, true);
  if ('wait' in asked) throw new Error('refused');
  expect(asked.isProbe).toBe(true);
  expect(circuit.enter(6 + OPEN)).toMatchObject({ isProbed: true });
  expect(circuit.settle(asked, answered, 7 + OPEN)).toBe('closed');
  expect(circuit.settle(hangs, unavailable, 8 + OPEN)).toBeUndefined();
  expect(circuit.enter(9 + OPEN)).toMatchObject({ isProbe: false });
});
