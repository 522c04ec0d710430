import fc from 'fast-check';
import { BYTES } from '../../../agent/limits';
import { outcomeOf, partsOf } from '../../../agent/model/cut-tool-result';
import { type Json, jsonBytes } from '../../../agent/values/json';

describe('partsOf', () => {
  const image = { type: 'media', mediaType: 'image/png', data: 'AAAA' };

  it.each<[Json, object[]]>([
    ['a text', [{ type: 'text', text: 'a text' }]],
    [{ a: 1 }, [{ type: 'text', text: '{"a":1}' }]],
    [[], [{ type: 'text', text: '[]' }]],
    [null, [{ type: 'text', text: 'null' }]],
    [image, [image]],
    [
      [image, image],
      [image, image],
    ],
    [[image, 'more'], [{ type: 'text', text: JSON.stringify([image, 'more']) }]],
  ])('takes %j as parts', (value, parts) => {
    expect(partsOf(value)).toEqual(parts);
  });
});

const text = (said: string) => ({ type: 'text' as const, text: said });
const image = { type: 'media' as const, mediaType: 'image/png', data: 'ONLYONCE' };

describe('outcomeOf', () => {
  it('shows a whole result, up to the last allowed character', () => {
    const parts = [text('short')];
    expect(outcomeOf(parts, 100, 'tool')).toStrictEqual({ content: parts });
    expect(outcomeOf(parts, 5, 'tool')).toStrictEqual({ content: parts });
  });

  it('cuts what the model sees, adds a note of the full length, and keeps the whole', () => {
    const parts = [text('x'.repeat(50_000))];
    expect(outcomeOf(parts, 30_000, 'tool')).toStrictEqual({
      content: [text('x'.repeat(30_000)), text('[cut: the first 30000 of 50000 characters are shown]')],
      full: parts,
    });
  });

  it('counts the characters of all texts together and shows no empty texts', () => {
    const parts = [text('one'), text('two'), text('three')];
    expect(outcomeOf(parts, 11, 'tool')).toStrictEqual({ content: parts });
    expect(outcomeOf(parts, 8, 'tool').content).toEqual([
      text('one'),
      text('two'),
      text('th'),
      text('[cut: the first 8 of 11 characters are shown]'),
    ]);
    expect(outcomeOf(parts, 3, 'tool').content).toEqual([
      text('one'),
      text('[cut: the first 3 of 11 characters are shown]'),
    ]);
  });

  it('keeps media once, also after a text that is cut, and does not count their characters', () => {
    const parts = [text('x'.repeat(2000)), image];
    expect(outcomeOf(parts, 1000, 'tool')).toStrictEqual({
      content: [text('x'.repeat(1000)), image, text('[cut: the first 1000 of 2000 characters are shown]')],
      full: [parts[0]],
    });
    expect(outcomeOf([text('x'), image], 1, 'tool')).toStrictEqual({ content: [text('x'), image] });
  });

  it('keeps as much as one payload holds, and not one byte more', () => {
    const room = BYTES.result - jsonBytes([text('')]);
    expect(outcomeOf([text('y'.repeat(room))], 1e9, 'dump')).toStrictEqual({ content: [text('y'.repeat(room))] });
    expect(outcomeOf([text('y'.repeat(room + 1))], 1e9, 'dump').error?.type).toBe('ResultTooLarge');
  });

  it('turns a result of 10 MB into an error with its size and its beginning, without its media', () => {
    const parts = [text('y'.repeat(10_000_000)), image];
    const message =
      `The result of \`dump\` is ${jsonBytes(parts)} bytes, more than the 1048576 that can be kept. The tool did run. ` +
      'Ask for less of it, page by page, or let it write a file and return the path.';
    expect(outcomeOf(parts, 10, 'dump')).toStrictEqual({
      content: [text(message), text('yyyyyyyyyy'), text('[cut: the first 10 of 10000000 characters are shown]')],
      error: { type: 'ResultTooLarge', message },
    });
  });

  it.each([
    ['a\ud800\udc00', 'a'],
    ['a\udbff\udfff', 'a'],
    // A unit that does not begin a code point stays.
    ['a\ud7ffb', 'a\ud7ff'],
    ['a\udc00b', 'a\udc00'],
  ])('shows %j as %j if two characters are allowed', (whole, shown) => {
    expect(outcomeOf([text(whole)], 2, 'tool').content[0]).toEqual(text(shown));
  });

  it('says how many characters are shown where a code point at the end is left out', () => {
    const note = text('[cut: the first 4 of 12 characters are shown]');
    expect(outcomeOf([text('abcd😀efghij')], 5, 'tool').content).toEqual([text('abcd'), note]);
  });

  it('keeps half a code point at the end of a text that is not cut', () => {
    expect(outcomeOf([text('ab\ud83d'), text('cd')], 3, 'tool').content[0]).toEqual(text('ab\ud83d'));
  });

  it('never cuts between the halves of a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 40 }), (given, max) => {
        const [shown] = outcomeOf([text(given)], max, 'tool').content;
        expect(shown?.type === 'text' && !/\p{Surrogate}/u.test(shown.text)).toBe(true);
      }),
    );
  });
});
