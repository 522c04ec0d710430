import { CARRIED_BYTES, type CarriedUpdate, MAX_UPDATES } from '../../../../agent/state/carried/carried';
import { runState } from '../../state-data';
import { carriedOf, handedOn, ofBytes, pinned, resumed } from './carried-data';
import { TOOLS } from './random-run';

describe('records of what was handled', () => {
  const update = (i: number): CarriedUpdate => {
    const id = `0b9a3f6e-5a1e-4a43-9d3e-${String(i).padStart(12, '0')}`;
    return { id, value: { exchange: i, ahead: 0, after: i } };
  };

  test('are complete when there is room, up to the last 1,000 updates', () => {
    const updates = Array.from({ length: 600 }, (_, i) => update(i));
    expect(carriedOf(runState(TOOLS), { updates }).updates).toEqual(updates);
    const short = Array.from({ length: MAX_UPDATES + 1 }, (_, i) => ({ id: `u${i}`, value: null }));
    expect(carriedOf(runState(TOOLS), { updates: short }).updates).toEqual(short.slice(1));
  });

  test('drop the oldest first, by their place among the facts', () => {
    const large = '€'.repeat(200);
    const taken = Object.fromEntries(
      // Keys that are numbers come first in an object, regardless of when they were set.
      Array.from({ length: 1000 }, (_, i) => [
        i % 2 === 0 ? `${i}` : `${large}${i}`,
        { exchange: 1, ahead: 0, after: i },
      ]),
    );
    const kept = Object.values(carriedOf(runState(TOOLS, { taken })).state.taken).map(({ after }) => after);
    expect(kept.length).toBeLessThan(1000);
    expect(kept.sort((a, b) => a - b)).toEqual(Array.from({ length: kept.length }, (_, i) => 1000 - kept.length + i));
  });

  test('recognise an update whose verdict was too large by its id', () => {
    const withText = (bytes: number): CarriedUpdate => ofBytes(bytes, (value) => ({ id: 'u', value }));
    const [at, above] = [withText(CARRIED_BYTES.update), withText(CARRIED_BYTES.update + 1)];
    const dropped = { id: 'u', dropped: true };
    expect(carriedOf(runState(TOOLS), { updates: [at, above] }).updates).toEqual([at, dropped]);
  });

  test('keep the counts of all known tools, and hold names such as `__proto__`', () => {
    const strange = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`no_such_tool_${i}`, 1]));
    const toolTypeCounts = Object.fromEntries([...Object.entries({ put: 7, ...strange }), ['__proto__', 3]]);
    const state = runState(TOOLS, { toolTypeCounts });
    const { toolTypeCounts: kept } = resumed(handedOn(carriedOf(state)), pinned(state));
    const counts = new Map(Object.entries(kept));
    expect([counts.get('put'), counts.get('__proto__'), counts.get('no_such_tool_0')]).toEqual([7, 3, undefined]);
  });
});
