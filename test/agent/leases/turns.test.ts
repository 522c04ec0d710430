import { Ledger } from '../../../agent/leases/ledger';
import { want } from './want';

const oneAtATime = () => new Ledger({ concurrent: 1 });

describe('a steady load of tasks and of people', () => {
  /** One call at a time, a second each. Both kinds come faster than that. Returns who had a turn, and the longest waits. */
  function underLoad(ledger: Ledger, { tasks, people }: { tasks: number; people: number }) {
    const since = new Map<string, number>();
    const waits = { task: 0, person: 0 };
    const turns: string[] = [];
    for (let second = 0; second < 1200; second++) {
      const now = second * 1000;
      const come = (kind: 'task' | 'person', every: number) => {
        if (second % every !== 0) return;
        const id = `${kind} ${second}`;
        since.set(id, now);
        ledger.want(want(id, { interactive: kind === 'person' }), now);
      };
      come('task', tasks);
      come('person', people);
      for (const id of ledger.grant(now)) {
        const kind = id.startsWith('task') ? 'task' : 'person';
        waits[kind] = Math.max(waits[kind], now - (since.get(id) ?? 0));
        turns.push(kind);
        ledger.settle({ id }, now + 999);
      }
    }
    return { turns, waits };
  }
  const share = (turns: string[], kind: string) => turns.filter((one) => one === kind).length / turns.length;

  test('of too many tasks does not hold people up: a person waits for one call in progress, and one task', () => {
    const { turns, waits } = underLoad(oneAtATime(), { tasks: 1, people: 4 });
    expect(waits.person).toBeLessThanOrEqual(2000);
    expect(share(turns, 'person')).toBeCloseTo(1 / 4, 1);
  });

  test('of too many people leaves a quarter to tasks that have waited for long', () => {
    const { turns } = underLoad(oneAtATime(), { tasks: 2, people: 1 });
    expect(share(turns, 'task')).toBeCloseTo(1 / 4, 1);
    // None of them before they have waited for long.
    expect(turns.indexOf('task')).toBeGreaterThan(30);
  });

  test('of versions before, of which histories are recorded, held people up behind all tasks that had waited for long', () => {
    const { waits } = underLoad(new Ledger({ concurrent: 1 }, undefined, true), { tasks: 1, people: 4 });
    expect(waits.person).toBeGreaterThan(60_000);
  });

  test('counts in tokens where they are limited: a large task does not pass for a small person', () => {
    const ledger = new Ledger({ tokensPerMinute: 1000 });
    ledger.want(want('all', { tokens: 1000 }), 0);
    ledger.grant(0);
    ledger.want(want('large', { tokens: 900 }), 0);
    const now = 63_000;
    for (let i = 0; i < 9; i++) ledger.want(want(`person ${i}`, { tokens: 100, interactive: true }), now + i);
    expect(ledger.grant(now + 10)).toHaveLength(9);
    expect(ledger.grant(now + 63_000)).toEqual(['large']);
  });

  test('is the same over a new run', () => {
    const first = oneAtATime();
    first.want(want('task', { waited: 40_000 }), 0);
    const turn = (ledger: Ledger, i: number) => {
      ledger.want(want(`person ${i}`, { interactive: true }), i);
      const [id = ''] = ledger.grant(i);
      ledger.settle({ id }, i);
      return id;
    };
    expect([turn(first, 1), turn(first, 2), turn(first, 3)]).toEqual(['person 1', 'person 2', 'person 3']);
    const second = new Ledger({ concurrent: 1 }, first.state(4));
    second.want(want('task', { waited: 40_000 }), 4);
    expect([turn(second, 5), turn(second, 6)]).toEqual(['task', 'person 5']);
  });
});
