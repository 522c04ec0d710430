import fc from 'fast-check';
import { Ledger } from '../../../agent/leases/ledger';
import { assertEveryCase } from '../../every-case';
import { want } from './want';

const used = (ledger: Ledger, now: number) => ledger.state(now).slots.filter(({ requests }) => requests > 0);

test('a call that begins late counts from then on, with its tokens, also if its lease is not kept', () => {
  const kept = new Ledger({ requestsPerMinute: 2, tokensPerMinute: 100 });
  kept.want(want('a', { tokens: 70 }), 0);
  kept.grant(0);
  kept.beganLate({ id: 'a', at: 0, since: 500 }, 9500);
  expect(used(kept, 9500)).toEqual([{ second: 9, requests: 1, tokens: 70 }]);
  kept.settle({ id: 'a', tokens: 30 }, 10_000);
  expect(used(kept, 10_000)).toEqual([{ second: 9, requests: 1, tokens: 30 }]);

  const loose = new Ledger({ requestsPerMinute: 2 });
  for (const id of ['a', 'b']) loose.want(want(id), 3000);
  loose.grant(3000);
  // The answer was given when the next second had begun; in that of the second message, the call is not counted any longer.
  loose.beganLate({ id: 'a', at: 4000, since: 0 }, 9000);
  loose.beganLate({ id: 'unknown', at: -70_000, since: -1 }, 9000);
  expect(used(loose, 9000)).toEqual([
    { second: 3, requests: 1, tokens: 0 },
    { second: 9, requests: 2, tokens: 0 },
  ]);
});

type Begin = { ids: number; wait: number; late: number; told: number };
const begins: fc.Arbitrary<Begin[]> = fc.array(
  fc.record({
    ids: fc.nat(20),
    wait: fc.integer({ min: 0, max: 30_000 }),
    late: fc.oneof(fc.nat(900), fc.nat(12_000)),
    told: fc.nat(12_000),
  }),
  { minLength: 5, maxLength: 40 },
);

test('however late calls begin, and however late that is told, no minute has more of them than the limits allow', () => {
  const seen = { late: 0, full: 0 };
  const property = fc.property(fc.integer({ min: 1, max: 30 }), fc.boolean(), begins, (most, isKept, all) => {
    const ledger = new Ledger({ requestsPerMinute: most, ...(isKept ? { concurrent: 1000 } : {}) });
    const began: number[] = [];
    const messages: { at: number; tell: (now: number) => void }[] = [];
    let now = 1_000_000;
    let count = 0;
    for (const { ids, wait, late, told } of all) {
      for (let i = 0; i < ids; i++) ledger.want(want(`w${count++}`, { interactive: true, term: 1e9 }), now);
      const granted = ledger.grant(now);
      const at = now;
      const start = at + late;
      for (const id of granted) {
        began.push(start);
        if (late <= 1000) continue;
        seen.late++;
        messages.push({ at: start + told, tell: (then) => ledger.beganLate({ id, at, since: then - start }, then) });
      }
      now += wait;
      for (const { tell } of messages.filter((one) => one.at <= now)) tell(now);
      messages.splice(0, messages.length, ...messages.filter((one) => one.at > now));
    }
    const minutes = began.map((at) => began.filter((one) => one >= at && one < at + 60_000).length);
    const fullest = Math.max(0, ...minutes);
    if (fullest === most) seen.full++;
    expect(fullest).toBeLessThanOrEqual(most);
  });
  assertEveryCase(property, 300, seen, { late: 100, full: 100 });
});
