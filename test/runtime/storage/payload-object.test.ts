import fc from 'fast-check';
import { fromObject, toObject } from '../../../runtime/storage/payload-object';

const bytes = fc.uint8Array({ maxLength: 50 });
const payloads = fc.record({ metadata: fc.dictionary(fc.string(), bytes), data: bytes });

it('gives back what was written', () => {
  fc.assert(
    fc.property(payloads, ({ metadata, data }) => {
      const read = fromObject(toObject({ metadata, data }));
      expect(read.data).toEqual(data);
      expect(Object.entries(read.metadata ?? {}).sort()).toEqual(Object.entries(metadata).sort());
    }),
  );
});

it('writes equal payloads as equal bytes, whatever the order of their metadata', () => {
  const [a, b] = [Buffer.from('1'), Buffer.from('2')];
  expect(toObject({ metadata: { a, b }, data: a })).toEqual(toObject({ metadata: { b, a }, data: a }));
});

it.each(['', 'x', '{', '[]\n\x00', 'null\n', '{"a": 7}\n', '"text"\n', '7\n', '{"a": "eA=="}'])(
  'refuses bytes of another form: %j',
  (text) => {
    expect(() => fromObject(Buffer.from(text))).toThrow();
  },
);
