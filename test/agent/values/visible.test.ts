import { visible, visibleJson, visibleJsonText, visibleName } from '../../../agent/values/visible';
import { cpuTime } from '../../measure/cpu-time';

/** Characters that must never reach the screen of a person who decides. */
const HIDDEN = [
  ...range(0x00, 0x08),
  ...range(0x0b, 0x1f),
  ...range(0x7f, 0x9f),
  0xad,
  0x34f,
  0x61c,
  0x115f,
  0x180e,
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x206f),
  0x3164,
  ...range(0xfe00, 0xfe0f),
  0xfeff,
  0xd800,
  0xdfff,
  ...range(0xe0000, 0xe007f),
  ...range(0xe0100, 0xe01ef),
];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

test('invisible characters are named, anywhere in a text', () => {
  for (const code of HIDDEN) {
    const name = `‹U+${code.toString(16).toUpperCase().padStart(4, '0')}›`;
    const char = String.fromCodePoint(code);
    expect(visible(`pay ${char}bob${char}`)).toBe(`pay ${name}bob${name}`);
  }
  expect(visible('to \u202egro.live@moc\u202c')).toBe('to ‹U+202E›gro.live@moc‹U+202C›');
});

test('ordinary text stays unchanged', () => {
  for (const text of [
    'Zeile 1\n\tZeile 2',
    'مرحبا بالعالم، ١٢٣',
    'می‌خواهم',
    'क्‍ष श्री',
    '日本語 한국어 עברית',
    'e\u0301 naïve',
    '👨‍👩‍👧 👩🏽‍🚀 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪 🏳️‍🌈',
  ]) {
    expect(visible(text)).toBe(text);
  }
  expect(visible('one\r\ntwo\rthree')).toBe('one\ntwo‹U+000D›three');
});

test('joiners, selectors and tags that belong to nothing are named', () => {
  expect(visible('a\u200db \u200d👩 1\ufe0f x\ufe0f')).toBe('a‹U+200D›b ‹U+200D›👩 1‹U+FE0F› x‹U+FE0F›');
  expect(visible('🏴\u{e0061}\u{e007f} 👩\ufe0f\ufe0f')).toBe('🏴‹U+E0061›‹U+E007F› 👩\ufe0f‹U+FE0F›');
});

test('a visible text stays unchanged, even if it is long', async () => {
  const text = visible(HIDDEN.map((code) => String.fromCodePoint(code)).join('x'));
  expect(visible(text)).toBe(text);
  const long = 'abc\u200b👩‍🚀 '.repeat(20_000);
  expect(await cpuTime(() => expect(visible(long)).toContain('abc‹U+200B›👩‍🚀'), 2000)).toBeLessThan(2000);
});

test('JSON hides nothing, not even joiners between letters, and parses to the same value', () => {
  const value = { to: HIDDEN.map((code) => String.fromCodePoint(code)).join('x'), می‌: ['👩‍🚀', '\u{e0041}\n\t'] };
  for (const indent of [undefined, 2]) {
    const json = visibleJson(value, indent);
    expect(JSON.parse(json)).toEqual(value);
    expect(json.replaceAll('👩‍🚀', '')).not.toMatch(/[^\P{Cc}\n]|\p{Default_Ignorable_Code_Point}|\p{Cs}/u);
  }
  expect(visibleJson({ a: 'b\u202e\u{e0041}', c: 'می‌خواهم' })).toBe(
    '{"a":"b\\u202e\\udb40\\udc41","c":"می\\u200cخواهم"}',
  );
});

test('JSON with several lines keeps its line feeds and tabs', () => {
  const json = '{\n\t"a":\t"b\u200bc"\n}';
  expect(visibleJsonText(json)).toBe('{\n\t"a":\t"b\\u200bc"\n}');
  expect(visibleJsonText('{\n\t"a": 1\n}')).toBe('{\n\t"a": 1\n}');
  expect(visibleJsonText('"\u0085"')).toBe('"\\u0085"');
});

test('a name is one line and one column', () => {
  expect(visibleName('one\ntwo\tthree')).toBe('one‹U+000A›two‹U+0009›three');
  expect(visibleName('one\r\ntwo')).toBe('one‹U+000A›two');
  expect(visibleName('to \u202ebob 👩‍🚀')).toBe('to ‹U+202E›bob 👩‍🚀');
});
