import type { DeltaBody } from '../../../agent/protocol/stream';
import { DeltaLines } from '../../../cli/lines/delta-lines';

function lines(...texts: string[]): string[] {
  const said: string[] = [];
  const deltas = new DeltaLines((kind, line) => said.push(`${kind}: ${line}`));
  const about = { id: 'r1', turn: 1, callId: 'call-1', attempt: 1, seq: 0 };
  for (const text of texts) deltas.note({ ...about, ...({ type: 'stream.text', text } satisfies DeltaBody) });
  return said;
}

it('prints a line of an answer as soon as it is complete', () => {
  expect(lines('It was', ' sent\non Mon')).toEqual(['text: It was sent']);
});

it('prints a paragraph line by line while it is written, without breaking a word', () => {
  const words = Array.from({ length: 30 }, (_, i) => `word${i} `);
  const said = lines(...words);
  expect(said).toHaveLength(2);
  expect(said.every((line) => line.length <= 'text: '.length + 76)).toBe(true);
  expect(words.join('')).toContain(said.map((line) => line.replace('text: ', '')).join(' '));
  expect(lines(words.join('').trim(), '\n').slice(0, 2)).toEqual(said);
});

it('leaves an indent, and text without spaces, on one line', () => {
  const long = `${' '.repeat(100)}${'x'.repeat(100)}`;
  expect(lines(`${long}\n`)).toEqual([`text: ${long}`]);
});
