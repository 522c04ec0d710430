import fc from 'fast-check';
import { MessageSize } from '../../../../../activities/mcp/client/traffic/message-size';

const VALUES = /^more than 100000 values$/;
const list = (values: number) => `[${'0,'.repeat(values - 1)}0]`;

/** What is found for a text that arrives in pieces of so many bytes. */
function excess(text: string, { events = false, pieces = 64 * 1024 } = {}): string | undefined {
  const size = new MessageSize(events);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieces) size.add(bytes.subarray(at, at + pieces));
  return size.excess;
}

test.each([
  ['a list of 100,000', list(100_000), undefined],
  ['a list of 100,001', list(100_001), VALUES],
  ['empty objects', `[${'{},'.repeat(100_000)}{}]`, VALUES],
  ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, undefined],
  ['many lists, each in another', '[[[[],'.repeat(60_000), VALUES],
  ['fields', `{${Array.from({ length: 100_001 }, (_, i) => `"k${i}":1`).join()}}`, VALUES],
  ['a text full of commas', JSON.stringify(','.repeat(1_000_000)), undefined],
  ['a text with escaped quotes and commas', JSON.stringify('",\\'.repeat(200_000)), undefined],
  ['lines of a pretty text', JSON.stringify(Array(100_001).fill(0), null, 1), VALUES],
  ['a text that is never closed in the line before', `"\n${list(100_001)}`, VALUES],
])('%s', (_what, text, expected) => {
  if (expected === undefined) expect(excess(text)).toBeUndefined();
  else expect(excess(text)).toMatch(expected);
});

test('33 MB are too much, whatever they contain', () => {
  expect(excess('x'.repeat(33 * 1024 * 1024))).toBe('more than 32 MB');
});

test('events are counted one by one: an empty line ends each, a line does not', () => {
  const event = (values: number) => `: "\r\ndata: ${list(values)}\r\n\r\n`;
  expect(excess(event(60_000).repeat(3), { events: true })).toBeUndefined();
  expect(excess(`data: ${list(60_000)}\n`.repeat(2), { events: true })).toMatch(VALUES);
  expect(excess(event(100_001), { events: true })).toMatch(VALUES);
});

test('it does not matter in what pieces a message arrives', () => {
  const texts = fc.array(fc.constantFrom('"', '\\', ',', '[', '{', '\n', '\r', 'x', 'é'), { maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 7 }), fc.boolean(), (parts, pieces, events) => {
      const text = `${parts.join('')}${','.repeat(100_000)}`;
      expect(excess(text, { events, pieces })).toBe(excess(text, { events }));
    }),
    { numRuns: 30 },
  );
});
