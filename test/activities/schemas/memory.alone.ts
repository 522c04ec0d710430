import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { checkAgainstSchema } from '../../../activities/schemas/check';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const MB = 1024 * 1024;

test.each<[string, string]>([
  ['draft-07', 'http://json-schema.org/draft-07/schema#'],
  ['2020-12', 'https://json-schema.org/draft/2020-12/schema'],
])('20,000 different schemas of %s take no more memory than 2,000', (_, $schema) => {
  const check = (i: number) => {
    const properties = { [`f${i}`]: { type: 'string', pattern: `^a${i}$`, format: 'date' }, n: { $ref: '#/$defs/n' } };
    const schema = { $schema, $id: `tool-${i % 3}`, type: 'object', properties, $defs: { n: { enum: [i, 'x'] } } };
    expect(checkAgainstSchema(schema, { n: i }).ok).toBe(true);
    expect(checkAgainstSchema(schema, { n: -1 }).ok).toBe(false);
  };
  const heapAfter = (from: number, to: number) => {
    for (let i = from; i < to; i++) check(i);
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapAfter(0, 2000);
  const after = heapAfter(2000, 20_000);
  expect(after - before).toBeLessThan(10 * MB);
});
