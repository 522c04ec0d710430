import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { RUN_TS } from '../../../sources';
import { BROKEN, CALLS, NO_CALLS, NOT_FOUND, UNENDED } from './cases';
import { HEAVY } from './heavy-answers';
import { parsed } from './read-in-text';

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

/** Milliseconds of processor time for two readings, which take half a second alone. */
const MOST = 4000;
let times: { [name: string]: number };
beforeAll(async () => {
  const program = require.resolve('./time-heavy-answers');
  const { stdout } = await promisify(execFile)(process.execPath, [RUN_TS, program, String(MOST)]);
  times = JSON.parse(stdout);
}, 120_000);

test.each(HEAVY.map(([name]) => name))('10 MB of %s are read in two seconds at most', (name) => {
  expect(times[name]).toBeLessThan(MOST);
});
