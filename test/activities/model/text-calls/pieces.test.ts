import * as fc from 'fast-check';
import { cpuTime } from '../../../cpu-time';
import { BROKEN, CALLS, NO_CALLS, NOT_FOUND, UNENDED } from './cases';
import { parsed as parse } from './read-in-text';

// It ships types for `import` only, which TypeScript rejects in a CommonJS file.
const { jsonrepair } = require('jsonrepair') as typeof import('jsonrepair', { with: { 'resolution-mode': 'import' }});

/** Without the limit of time, which a busy machine would reach. */
const parsed = (pieces: readonly string[]) => parse(pieces, jsonrepair);

/** Cuts a text at these places. */
function piecesOf(text: string, cuts: readonly number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((to, i) => text.slice(places[i - 1] ?? 0, to));
}

const cuts = fc.array(fc.nat(2000), { maxLength: 30 });

const WORDS = [
  ...[
    '<tool>',
    '</tool>',
    '<tool a="b">',
    '<thinking>',
    '</thinking>',
    '<think>',
    '</think>',
    '```',
    '~~~',
    '\n',
    '`',
    ' ',
  ],
  ...['{', '}', '[', ']', '"', '\\', ':', ',', '"server_name"', '"local"', '"tool_name"', '"look_up"', '"arguments"'],
  ...[
    '<server_name>',
    '</server_name>',
    'local',
    '<tool_name>',
    '</tool_name>',
    'look_up',
    '<arguments>',
    '</arguments>',
  ],
  ...['<![CDATA[', ']]>', ']', '&amp;', '&', '&#x41;', '<', '>', '/', '<q>', '</q>', 'tea', '😀'],
];
const garbage = fc.array(fc.constantFrom(...WORDS), { maxLength: 60 }).map((words) => words.join(''));

const ALL = [...CALLS, ...NO_CALLS, ...BROKEN, ...UNENDED, ...NOT_FOUND];

test.each(ALL.map((one) => [one.what, one.answer] as const))('%s: the same in any pieces', (_, answer) => {
  const whole = parsed([answer]);
  expect(parsed([...answer])).toEqual(whole);
  fc.assert(
    fc.property(cuts, (places) => {
      expect(parsed(piecesOf(answer, places))).toEqual(whole);
    }),
    { numRuns: 30 },
  );
});

test('no answer throws, and how it is cut into pieces changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(garbage, fc.string({ unit: 'binary' })), cuts, (answer, places) => {
      expect(parsed(piecesOf(answer, places))).toEqual(parsed([answer]));
    }),
    { numRuns: 2000 },
  );
});

/** Milliseconds for two readings, which take half a second alone. */
const MOST = 4000;
const SIZE = 10_000_000;
const of = (word: string, begin = '') => (begin + word.repeat(Math.ceil(SIZE / word.length))).slice(0, SIZE);

test.each([
  ['beginnings of tags', of('<')],
  ['beginnings of calls', of('<tool')],
  ['tags with long attributes', of(`<tool ${'a'.repeat(90)}`)],
  ['fences', of('`')],
  ['lines of fences', of('```\n')],
  ['code', of('`<tool>` ')],
  ['thinking without an end', of('</thinking', '<thinking>')],
  ['a call in JSON without an end', of('{"a":"', '<tool>{"server_name":"local","tool_name":"look_up","arguments":')],
  ['a text in JSON without an end', of('</tool>', '<tool>{"')],
  ['end tags in texts that end', of('</tool>"', '<tool>{"')],
  ['a call in XML without an end', of('<a>', '<tool><arguments>')],
  ['elements that never end', of('<a', '<tool><arguments><')],
  ['ends of other elements', of('</a>', '<tool><arguments>')],
  ['entities', of('&amp', '<tool><arguments>{')],
  ['CDATA without an end', of(']]', '<tool><arguments><![CDATA[')],
  ['a name without an end', of('a', '<tool><server_name>')],
])('10 MB of %s are read in two seconds at most', async (_, answer) => {
  const pieces: string[] = [];
  for (let at = 0; at < answer.length; at += 1000) pieces.push(answer.slice(at, at + 1000));
  const took = await cpuTime(() => {
    parse(pieces);
    parse([answer]);
  }, MOST);
  expect(took).toBeLessThan(MOST);
});
