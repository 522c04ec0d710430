import fc from 'fast-check';
import { outcomeOf, partsOf } from '../../../agent/model/cut-tool-result';

describe('partsOf', () => {
  it.each([
    ['a text', 'a text'],
    [{ a: 1 }, '{"a":1}'],
    [[1, 2], '[1,2]'],
    [[], '[]'],
    [null, 'null'],
    [undefined, 'done'],
    [0, '0'],
    [{ type: 'text' }, '{"type":"text"}'],
  ])('shows %j as the text %s', (value, text) => {
    expect(partsOf(value)).toEqual([{ type: 'text', text }]);
  });

  it('takes message parts as they are', () => {
    const image = { type: 'media' as const, mediaType: 'image/png', data: 'AAAA' };
    expect(partsOf(image)).toEqual([image]);
    expect(partsOf([{ type: 'text', text: 'see' }, image])).toEqual([{ type: 'text', text: 'see' }, image]);
  });
});

describe('outcomeOf', () => {
  it('shows a short result whole', () => {
    const parts = partsOf('short');
    expect(outcomeOf(parts, 100, 'tool')).toEqual({ content: parts });
  });

  it('cuts what the model sees with a note of the full length and keeps the whole beside it', () => {
    const parts = partsOf('x'.repeat(50_000));
    const { content, full, error } = outcomeOf(parts, 30_000, 'tool');
    expect(content[0]).toEqual({ type: 'text', text: 'x'.repeat(30_000) });
    expect(content[1]).toMatchObject({ text: expect.stringContaining('50000') });
    expect(full).toEqual(parts);
    expect(error).toBeUndefined();
  });

  it('keeps media once, also beside a text that is cut', () => {
    const image = { type: 'media' as const, mediaType: 'image/png', data: 'ONLYONCE' };
    const outcome = outcomeOf([{ type: 'text', text: 'x'.repeat(2000) }, image], 1000, 'tool');
    expect(outcome.content).toContainEqual(image);
    expect(JSON.stringify(outcome).split('ONLYONCE')).toHaveLength(2);
  });

  it('makes a result of 10 MB an error that says how much it was and shows its beginning', () => {
    const { content, full, error } = outcomeOf(partsOf('y'.repeat(10_000_000)), 1000, 'dump');
    expect(error).toMatchObject({ type: 'ResultTooLarge', message: expect.stringContaining('10000') });
    expect(error?.message).toContain('`dump`');
    expect(full).toBeUndefined();
    expect(JSON.stringify(content).length).toBeLessThan(5000);
  });

  it('never cuts between the halves of a code point', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const [shown] = outcomeOf(partsOf(text), max, 'tool').content;
        expect(shown?.type === 'text' && !/\p{Surrogate}/u.test(shown.text)).toBe(true);
      }),
    );
  });
});
