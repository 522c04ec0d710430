import fc from 'fast-check';
import { Ledger } from '../../../agent/leases/ledger';
import type { ModelLimits } from '../../../agent/leases/model-limits';
import { want } from './want';

describe('a ledger', () => {
  test('grants what the limits allow, and says when the next call can be made', () => {
    const ledger = new Ledger({ requestsPerMinute: 2 });
    for (const id of ['a', 'b', 'c']) ledger.want(want(id), 0);
    expect(ledger.grant(0)).toEqual(['a', 'b']);
    const next = ledger.next(1000) ?? 0;
    expect(next).toBeGreaterThan(60_000);
    expect(ledger.grant(next - 1)).toEqual([]);
    expect(ledger.grant(next)).toEqual(['c']);
  });

  describe('while the provider asks to wait', () => {
    const asked = want('asked', { interactive: true, despiteBlock: true });
    const blocked = (limits: ModelLimits) => {
      const ledger = new Ledger(limits);
      ledger.settle({ id: 'before', retryAfter: 600_000 }, 0);
      return ledger;
    };

    test('a call that a person asked for is granted, whatever waits before it', () => {
      const ledger = blocked({ requestsPerMinute: 1 });
      ledger.want(want('old', { waited: 40_000 }), 1000);
      ledger.want(want('person', { interactive: true }), 1000);
      ledger.want(asked, 1001);
      expect(ledger.next(1001)).toBe(1001);
      expect(ledger.grant(1001)).toEqual(['asked']);
      expect([ledger.grant(2000), ledger.next(2000)]).toEqual([[], 600_000]);
    });

    test('but not beyond the other limits', () => {
      const ledger = blocked({ requestsPerMinute: 1 });
      ledger.want(asked, 1000);
      ledger.want({ ...asked, id: 'later' }, 1000);
      expect(ledger.grant(1000)).toEqual(['asked']);
      expect(ledger.grant(2000)).toEqual([]);
      expect(ledger.next(2000)).toBeGreaterThan(60_000);
      expect(ledger.next(2000)).toBeLessThan(70_000);
    });

    test('its answer ends the wait that it has passed, and no later one', () => {
      for (const meanwhile of [0, 700_000]) {
        const ledger = blocked({ requestsPerMinute: 10 });
        ledger.want(asked, 1000);
        ledger.grant(1000);
        if (meanwhile > 0) ledger.settle({ id: 'other', retryAfter: meanwhile }, 2000);
        ledger.settle({ id: 'asked', endsBlock: true }, 3000);
        expect(ledger.blockedFor(3000)).toBe(meanwhile > 0 ? meanwhile - 1000 : 0);
      }
    });
  });

  test('calls that no person waits for are spread over the minute; a person is not held up by it', () => {
    const ledger = new Ledger({ requestsPerMinute: 120 });
    for (let i = 0; i < 30; i++) ledger.want(want(`batch-${i}`), 0);
    expect(ledger.grant(0)).toHaveLength(10);
    expect([ledger.grant(4999), ledger.next(4999)]).toEqual([[], 6000]);
    ledger.want(want('person', { interactive: true }), 4999);
    expect(ledger.grant(4999)).toEqual(['person']);
    // The person's call counts, too.
    expect(ledger.grant(6000)).toHaveLength(9);
  });

  test('the time of the next grant takes into account that a call goes first once it has waited for long', () => {
    const freed = (old: number, isEarlier: boolean) => {
      const state = { slots: [], open: {}, blockedUntil: 0, credit: 100 };
      const ledger = new Ledger({ tokensPerMinute: 100 }, state, isEarlier);
      ledger.want(want('early', { tokens: 10, interactive: true }), 0);
      ledger.want(want('late', { tokens: 50, interactive: true }), 1000);
      ledger.grant(1000);
      ledger.want(want('old', { tokens: old }), 2000);
      ledger.want(want('person', { tokens: 60, interactive: true }), 2000);
      expect(ledger.grant(2000)).toEqual([]);
      const next = ledger.next(2000) ?? 0;
      expect(ledger.grant(next - 1)).toEqual([]);
      return [next, ledger.grant(next)];
    };
    for (const isEarlier of [true, false]) {
      expect(freed(30, isEarlier)).toEqual([32_000, ['old']]);
      expect(freed(90, isEarlier)).toEqual([64_000, ['old']]);
    }
  });

  test('a large call is not passed by small ones, and one larger than the limit takes a minute for itself', () => {
    const ledger = new Ledger({ tokensPerMinute: 100 });
    ledger.want(want('small', { tokens: 30 }), 0);
    expect(ledger.grant(0)).toEqual(['small']);
    ledger.want(want('huge', { tokens: 5000, waited: 10 }), 1000);
    ledger.want(want('tiny', { tokens: 1 }), 1000);
    expect(ledger.grant(1000)).toEqual([]);
    expect(ledger.grant(ledger.next(1000) ?? 0)).toEqual(['huge']);
  });

  test('tokens are corrected when a call has ended', () => {
    const ledger = new Ledger({ tokensPerMinute: 100 });
    ledger.want(want('a', { tokens: 100 }), 0);
    ledger.grant(0);
    ledger.want(want('b', { tokens: 80 }), 0);
    expect(ledger.grant(0)).toEqual([]);
    ledger.settle({ id: 'a', tokens: 20 }, 0);
    expect(ledger.grant(0)).toEqual(['b']);
  });

  test('the wait that a provider asks for holds for all, and at most for an hour', () => {
    const ledger = new Ledger({ requestsPerMinute: 100 });
    ledger.settle({ id: 'other', retryAfter: 5000 }, 0);
    ledger.want(want('a'), 0);
    expect([ledger.grant(4999), ledger.grant(5000)]).toEqual([[], ['a']]);
    ledger.settle({ id: 'other', retryAfter: 1e300 }, 5000);
    ledger.want(want('b'), 5000);
    expect(ledger.next(5000)).toBe(5000 + 3_600_000);
  });

  test('a later attempt of a call ends the lease of an earlier one, whose worker is gone; what it sent still counts', () => {
    const ledger = new Ledger({ concurrent: 1, requestsPerMinute: 2 });
    ledger.want(want('lost', { attempt: { of: 'call', began: 0 } }), 0);
    ledger.grant(0);
    ledger.want(want('other', { attempt: { of: 'other call', began: 5 } }), 10);
    // The same attempt, such as for an output format that was refused.
    ledger.want(want('same', { attempt: { of: 'call', began: 0 } }), 10);
    expect(ledger.grant(10)).toEqual([]);
    ledger.want(want('retried', { attempt: { of: 'call', began: 10 } }), 10);
    expect(ledger.grant(10)).toEqual(['other']);
    ledger.settle({ id: 'other' }, 20);
    expect(ledger.grant(20)).toEqual([]);
    expect(ledger.next(20)).toBeGreaterThan(60_000);
  });

  test('a call that is not made gives back its place in line, its lease and its part of the minute', () => {
    const ledger = new Ledger({ concurrent: 1, requestsPerMinute: 1, tokensPerMinute: 100 });
    for (const id of ['a', 'b', 'c']) ledger.want(want(id, { tokens: 100 }), 0);
    expect(ledger.grant(0)).toEqual(['a']);
    ledger.leave('b');
    ledger.leave('unknown');
    expect(ledger.order(0)).toEqual(['c']);
    ledger.leave('a');
    expect(ledger.grant(10)).toEqual(['c']);
    expect(ledger.state(10).slots).toEqual([{ second: 0, requests: 1, tokens: 100 }]);
  });

  test('a lease that is not settled ends by itself', () => {
    const ledger = new Ledger({ concurrent: 1 });
    ledger.want(want('lost', { term: 1000 }), 0);
    ledger.grant(0);
    ledger.want(want('next'), 0);
    expect(ledger.next(0)).toBe(1000);
    expect([ledger.grant(999), ledger.grant(1000)]).toEqual([[], ['next']]);
  });
});

type Step = { wait: number; wants: { interactive: boolean; tokens: number }[]; settles: number; retryAfter?: number };
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record(
    {
      wait: fc.integer({ min: 0, max: 20_000 }),
      wants: fc.array(fc.record({ interactive: fc.boolean(), tokens: fc.nat(300) }), { maxLength: 8 }),
      settles: fc.nat(4),
      retryAfter: fc.nat(9000),
    },
    { requiredKeys: ['wait', 'wants', 'settles'] },
  ),
  { minLength: 5, maxLength: 60 },
);
const limits: fc.Arbitrary<ModelLimits> = fc.record(
  {
    requestsPerMinute: fc.integer({ min: 1, max: 40 }),
    tokensPerMinute: fc.integer({ min: 50, max: 1000 }),
    concurrent: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: [] },
);

test('whatever is wanted: no minute has more than the limits allow, every call gets its turn, also over a new run', () => {
  fc.assert(
    fc.property(limits, steps, fc.nat(59), fc.boolean(), (given, all, renewed, isEarlier) => {
      let ledger = new Ledger(given, undefined, isEarlier);
      let now = 1_000_000;
      let ids = 0;
      const open = new Map<string, number>();
      const granted: { at: number; tokens: number }[] = [];
      const tokens = new Map<string, number>();
      // Collected, because `expect` takes longer than a grant.
      let mostOpen = 0;
      const early: string[] = [];
      let isStuck = false;
      const take = () => {
        for (const id of ledger.grant(now)) {
          const taken = Math.min(tokens.get(id) ?? 0, given.tokensPerMinute ?? Infinity);
          granted.push({ at: now, tokens: taken });
          open.set(id, taken);
          mostOpen = Math.max(mostOpen, open.size);
        }
      };
      const settle = (retryAfter?: number) => {
        const [id, taken] = [...open][0] ?? [];
        if (id === undefined || taken === undefined) return;
        open.delete(id);
        ledger.settle({ id, tokens: taken, ...(retryAfter === undefined ? {} : { retryAfter }) }, now);
      };
      for (const [i, step] of all.entries()) {
        now += step.wait;
        if (i === renewed && ledger.waiting === 0) ledger = new Ledger(given, ledger.state(now), isEarlier);
        for (const one of step.wants) {
          const id = `w${ids++}`;
          tokens.set(id, one.tokens);
          ledger.want(want(id, { ...one, term: 1e9 }), now);
        }
        take();
        for (let n = 0; n < step.settles; n++) settle(step.retryAfter);
        take();
      }
      while (ledger.waiting > 0 || open.size > 0) {
        while (open.size > 0) settle();
        const next = ledger.next(now) ?? now;
        if (next > now) early.push(...ledger.grant(next - 1));
        now = Math.max(now, next);
        const before = ledger.waiting;
        take();
        isStuck = before > 0 && ledger.waiting >= before;
        if (isStuck) break;
      }
      const minutes = granted.map(({ at }) => granted.filter((one) => one.at >= at && one.at < at + 60_000));
      const sums = minutes.map((minute) => minute.reduce((all, one) => all + one.tokens, 0));
      expect({ early, isStuck, granted: granted.length }).toEqual({ early: [], isStuck: false, granted: ids });
      expect(mostOpen).toBeLessThanOrEqual(given.concurrent ?? Infinity);
      expect(Math.max(0, ...minutes.map(({ length }) => length))).toBeLessThanOrEqual(
        given.requestsPerMinute ?? Infinity,
      );
      expect(Math.max(0, ...sums)).toBeLessThanOrEqual(given.tokensPerMinute ?? Infinity);
    }),
    { numRuns: 300 },
  );
});
