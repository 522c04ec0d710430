import * as fc from 'fast-check';
import { readOutput } from '../../../activities/output/read-output';
import { cpuTime } from '../../measure/cpu-time';

const object = { type: 'object' };
const array = { type: 'array' };
const json = (value: unknown) => ({ type: 'json', value });
const TEXT = { type: 'text' };

describe('the JSON of an answer', () => {
  test.each([
    ['the whole text', '{"a":1}'],
    ['with white space around it', '\n {"a":1}\n'],
    ['after a sentence', 'Here is the answer: {"a":1}'],
    ['before a sentence', '{"a":1}\nI hope this helps.'],
    ['between sentences', 'It is {"a":1}, I think.'],
    ['in a fenced block', '```json\n{"a":1}\n```'],
    ['in a fenced block without a name', '```\n{"a":1}\n```'],
    ['in a fenced block on one line', '```{"a":1}```'],
    ['in a fenced block after a sentence', 'Sure!\n\n```json\n{"a":1}\n```\nDone.'],
    ['in a fenced block without an end', '```json\n{"a":1}'],
    ['after reasoning', '<think>Maybe {"a":0}?</think>\n{"a":1}'],
    ['after reasoning in the other tag', '<thinking>Maybe {"a":0}?</thinking>{"a":1}'],
    ['after reasoning without a beginning', 'Maybe {"a":0}?\n</think>\n\n{"a":1}'],
    ['after reasoning, fenced', '<think>hm</think>\n```json\n{"a":1}\n```'],
    ['after another kind of value', 'From [1,2] follows {"a":1}'],
    ['after a bracket that begins nothing', 'See [the list] and { this }: {"a":1}'],
    ['after an opening bracket', '{{"a":1}'],
    ['after a quote in a bracket', 'Use [" or {"a":1}'],
    ['before another one', '{"a":1} or {"a":2}'],
  ])('is found %s', (_where, answer) => {
    expect(readOutput(answer, object)).toEqual(json({ a: 1 }));
  });

  test.each([
    ['only the beginning of an object', '{"a":{"b":1},"c":{"d":2}'],
    ['an object within a broken one', '{"a":{"b":1},,}'],
    ['no JSON', 'I do not know.'],
    ['nothing', ''],
    ['reasoning without an end', '<think>Maybe {"a":0}?'],
    ['single quotes', "{'a': 1}"],
    ['a line break in a text', '{"a":"b\nc"}'],
  ])('is not found in %s', (_what, answer) => {
    expect(readOutput(answer, object)).toEqual(TEXT);
  });

  test('is of the kind that the schema accepts, else what the model gave, so that the check can say what is wrong', () => {
    expect(readOutput('{"a":1} and [1]', array)).toEqual(json([1]));
    expect(readOutput('{"a":1} and [1]', { anyOf: [array, object] })).toEqual(json({ a: 1 }));
    expect(readOutput('{"a":1} and [1]', {})).toEqual(json({ a: 1 }));
    expect(readOutput('It is [1].', object)).toEqual(json([1]));
    expect(readOutput('[1]', object)).toEqual(json([1]));
    expect(readOutput('12', object)).toEqual(json(12));
  });

  test('may be a number or a word only as the whole answer', () => {
    expect(readOutput('12', { type: 'integer' })).toEqual(json(12));
    expect(readOutput('```json\ntrue\n```', { type: 'boolean' })).toEqual(json(true));
    expect(readOutput('It is 12.', { type: 'number' })).toEqual(TEXT);
  });

  test('without a schema is the whole answer, or there is none', () => {
    expect(readOutput('```json\n{"a":1}\n```', undefined)).toEqual(json({ a: 1 }));
    expect(readOutput('It is {"a":1}.', undefined)).toEqual(TEXT);
  });

  test.each(['{"a":1}', '[1]', '12', 'true', 'null', 'see {"a":1}', '```json\n{"a":1}\n```'])(
    'a text that looks like JSON stays a text: %j',
    (answer) => {
      expect(readOutput(answer, { type: 'string' })).toEqual(TEXT);
    },
  );

  test('a text in quotes is what a server sends that keeps to the schema of a text', () => {
    expect(readOutput('"so \\"it\\" is"', { type: 'string' })).toEqual(json('so "it" is'));
    expect(readOutput('"so" he said', { type: 'string' })).toEqual(TEXT);
  });

  test('a text or null: only null is JSON', () => {
    const schema = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    expect(readOutput('null', schema)).toEqual(json(null));
    expect(readOutput('{"a":1}', schema)).toEqual(TEXT);
  });

  test('the kinds of a schema are found through references, also in circles', () => {
    const schema = {
      $ref: '#/$defs/one',
      $defs: { one: { allOf: [{ $ref: '#/$defs/two' }] }, two: { enum: ['a', 'b'] } },
    };
    expect(readOutput('{"a":1}', schema)).toEqual(TEXT);
    expect(readOutput('{"a":1}', { $ref: '#' })).toEqual(json({ a: 1 }));
    expect(readOutput('see {"a":1}', { anyOf: [{ $ref: '#' }, { type: 'array' }] })).toEqual(json({ a: 1 }));
  });
});

/** Text without brackets, quotes and tags. */
const prose = fc.string({ unit: fc.constantFrom(...'ab :,.\n-1é') });

test('JSON is found in any prose around it', () => {
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(prose, value, prose, fc.boolean(), fc.option(prose), (before, wanted, after, isFenced, thought) => {
      const written = JSON.stringify(wanted, null, isFenced ? 2 : undefined);
      const answer = `${before} ${isFenced ? `\n\`\`\`json\n${written}\n\`\`\`\n` : written} ${after}`;
      const thinking = thought === null ? '' : `<think>${thought}{"no":1}</think>`;
      expect(readOutput(thinking + answer, object)).toEqual(json(JSON.parse(written)));
    }),
  );
});

test('what is found is JSON that is in the text, whatever the text', () => {
  const pieces = fc.array(
    fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', '1', 'a', ' ', '"a":', '{"a":1}', '[2]'),
  );
  fc.assert(
    fc.property(pieces, (all) => {
      const text = all.join('');
      const read = readOutput(text, object);
      if (read.type !== 'json') return;
      const compact = (json: string) => json.replace(/\s/g, '');
      expect(compact(text)).toContain(compact(JSON.stringify(read.value)));
    }),
  );
});

describe('an answer that is made to be expensive', () => {
  const SIZE = 1_000_000;
  const filled = (piece: string) => piece.repeat(SIZE / piece.length);

  test.each([
    ['opening braces', filled('{')],
    ['opening brackets', filled('[')],
    ['braces in names', filled('{":')],
    ['quotes and braces', filled('"{')],
    ['texts with braces', `[${filled('"{",')}`],
    ['two ways to read it', `[${filled('":{",')}`],
    ['escapes', `["${filled('\\"{')}`],
    ['empty objects', `[${filled('{},')}`],
    ['nearly JSON', filled('{"a":1,')],
    ['fences', filled('```\n')],
    ['a fence and lines', `\`\`\`${filled('\n')}`],
    ['tags', filled('<think>')],
    ['ends of tags', filled('</think>')],
    ['white space', filled(' ')],
    ['numbers', `[${filled('1')}`],
  ])('is read in linear time: %s', async (_what, text) => {
    const took = await cpuTime(() => expect(readOutput(text, object).type).not.toBe('json'), 3000);
    // It takes 50 ms at most; a search from each brace would take minutes.
    expect(took).toBeLessThan(3000);
  });

  test('is not parsed if it is too large, and the model reads why', () => {
    const many = `{"a":[${'1,'.repeat(30_000)}1]}`;
    const deep = `${'{"a":'.repeat(300)}1${'}'.repeat(300)}`;
    expect(readOutput(`See: ${many}`, object)).toEqual({ type: 'excess', excess: 'made of more than 20000 values' });
    expect(readOutput(deep, object)).toEqual({ type: 'excess', excess: 'nested deeper than 200 levels' });
    expect(readOutput(many, { type: 'string' })).toEqual(TEXT);
  });
});
