import type { DeltaBody } from '../../../../agent/protocol/stream';
import { DeltaLines } from '../../../../cli/lines/stream/delta-lines';

function linesOf(bodies: readonly DeltaBody[]): string[] {
  const said: string[] = [];
  const deltas = new DeltaLines((kind, line) => said.push(`${kind}: ${line}`));
  const about = { id: 'r1', turn: 1, callId: 'call-1', attempt: 1, seq: 0 };
  for (const body of bodies) deltas.note({ ...about, ...body });
  return said;
}

function lines(...texts: string[]): string[] {
  return linesOf(texts.map((text) => ({ type: 'stream.text', text })));
}

it('says that the output is withdrawn only if a line of it was printed', () => {
  const clear: DeltaBody = { type: 'stream.clear' };
  expect(linesOf([clear, { type: 'stream.text', text: 'It w' }, clear])).toEqual([]);
  expect(linesOf([{ type: 'stream.text', text: 'It was\nsent' }, clear, clear])).toEqual([
    'text: It was',
    'again: the output of this turn so far is withdrawn',
  ]);
});

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
