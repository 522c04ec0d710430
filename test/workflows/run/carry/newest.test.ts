import fc from 'fast-check';
import { jsonBytes } from '../../../../agent/values/json';
import { newest } from '../../../../workflows/run/carry/newest';

test('the newest values fit, and one more would not', () => {
  const property = fc.property(fc.array(fc.string({ unit: 'binary' })), fc.nat({ max: 200 }), (values, room) => {
    const max = room + 2;
    const kept = newest(values, max);
    expect(kept).toEqual(values.slice(values.length - kept.length));
    expect(jsonBytes(kept)).toBeLessThanOrEqual(max);
    // The comma after the last value is counted.
    const more = values.slice(values.length - kept.length - 1);
    if (kept.length < values.length) expect(jsonBytes(more)).toBeGreaterThanOrEqual(max);
  });
  fc.assert(property, { numRuns: 500 });
});
