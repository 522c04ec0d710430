import fc from 'fast-check';
import type { UiChunk } from '../../../../../client/protocols/ai-sdk/chunks';
import { Spoken } from '../../../../../client/protocols/ai-sdk/said/spoken';

/** What a reader sees in the end, as a client of the AI SDK keeps it. */
function read(chunks: readonly UiChunk[]): { texts: string[]; withdrawn: string[] } {
  const parts = new Map<string, { text: string; open: boolean }>();
  const withdrawn: string[] = [];
  for (const chunk of chunks) {
    if (chunk.type === 'text-start') {
      expect(parts.has(chunk.id)).toBe(false);
      parts.set(chunk.id, { text: '', open: true });
    } else if (chunk.type === 'text-delta') {
      const part = parts.get(chunk.id);
      // A client fails at a delta without a start.
      if (part === undefined || !part.open) throw new Error(`${chunk.id} is not open`);
      part.text += chunk.delta;
    } else if (chunk.type === 'text-end') {
      const part = parts.get(chunk.id);
      if (part === undefined || !part.open) throw new Error(`${chunk.id} ends twice`);
      part.open = false;
    } else if (chunk.type === 'data-withdrawn') withdrawn.push(chunk.id ?? '');
  }
  expect([...parts.values()].filter(({ open }) => open)).toEqual([]);
  return { texts: [...parts].filter(([id]) => !withdrawn.includes(id)).map(([, { text }]) => text), withdrawn };
}

const attempts = fc.array(fc.array(fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'b') }), { maxLength: 5 }), {
  maxLength: 4,
});

test('whatever attempts say, in the end the reader has the answer, once', () => {
  fc.assert(
    fc.property(attempts, fc.string({ maxLength: 12, unit: fc.constantFrom('a', 'b') }), (said, answer) => {
      const spoken = new Spoken('text', 1);
      const chunks = said.flatMap((pieces) => {
        spoken.clear();
        return pieces.flatMap((piece) => spoken.add(piece));
      });
      const { texts } = read([...chunks, ...spoken.settle(answer)]);
      expect(texts.join('')).toBe(answer);
      expect(texts.length).toBeLessThanOrEqual(1);
    }),
  );
});

test('an attempt that says the same again shows nothing twice, and withdraws nothing', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(fc.nat({ max: 50 }), { maxLength: 5 }), (answer, ends) => {
      const spoken = new Spoken('text', 1);
      const chunks = ends.flatMap((end) => {
        spoken.clear();
        return [...answer.slice(0, end)].flatMap((letter) => spoken.add(letter));
      });
      const { texts, withdrawn } = read([...chunks, ...spoken.settle(answer)]);
      expect({ texts, withdrawn }).toEqual({ texts: [answer], withdrawn: [] });
    }),
  );
});

test('an answer that turns out to be empty withdraws what was shown', () => {
  const spoken = new Spoken('text', 3);
  const { texts, withdrawn } = read([...spoken.add('Let me'), ...spoken.settle('')]);
  expect({ texts, withdrawn }).toEqual({ texts: [], withdrawn: ['t3.1'] });
});
