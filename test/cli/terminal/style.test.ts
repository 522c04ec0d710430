import { ChatStyle } from '../../../cli/terminal/style';
import { widthOf, wrap } from '../../../cli/terminal/text-width';
import { cpuTime } from '../../measure/cpu-time';

const texts = (text: string, width: number) => wrap(text, width).map((row) => row.text);

test('a text is broken at spaces, and a long word inside the word', () => {
  expect(texts('one two three', 8)).toEqual(['one two', 'three']);
  expect(texts('one twothree', 4)).toEqual(['one', 'twot', 'hree']);
  expect(texts('full row', 4)).toEqual(['full', 'row']);
  expect(texts('a\n\nb', 4)).toEqual(['a', '', 'b']);
  expect(texts('', 4)).toEqual(['']);
});

test('wide characters take two columns, combining marks none', () => {
  expect([widthOf('日本'), widthOf('e\u0301'), widthOf('👩‍💻'), widthOf('abc')]).toEqual([4, 1, 2, 3]);
  expect(texts('日本語', 5)).toEqual(['日本', '語']);
});

test('rows say where the next one begins, and do not change when text is added', () => {
  const text = 'Some words that go on, and on 日本語 and on.\nThen more of them';
  for (const width of [4, 7, 12, 40]) {
    const whole = wrap(text, width);
    for (let length = 1; length < text.length; length++) {
      const rows = wrap(text.slice(0, length), width).slice(0, -1);
      expect(rows).toEqual(whole.slice(0, rows.length));
    }
    for (const [i, { end }] of whole.slice(0, -1).entries()) {
      expect(wrap(text.slice(end), width)[0]?.text).toBe(whole[i + 1]?.text);
    }
  }
});

test('lines are under a guide, with a gap where another kind begins', () => {
  const style = new ChatStyle(false);
  const rows = [
    style.begin('shop.desk'),
    ...style.rows({ tone: 'you', text: 'Where is it?' }, 20),
    ...style.rows({ tone: 'call', text: 'find {}' }, 20),
    ...style.rows({ tone: 'result', text: 'here' }, 20),
    ...style.rows({ tone: 'text', text: 'It is here, as you see.' }, 20),
    ...style.rows({ tone: 'text', text: 'And so on.', more: true }, 20),
    ...style.rows({ tone: 'usage', text: '1 + 2 tokens' }, 20),
    style.end('It waits.'),
  ];
  expect(rows).toEqual([
    '┌  shop.desk',
    '│',
    '●  Where is it?',
    '│',
    '◇  find {}',
    '│  here',
    '│',
    '◆  It is here, as',
    '│  you see.',
    '│  And so on.',
    '│  1 + 2 tokens',
    '└  It waits.',
  ]);
});

test('colours can be switched off', () => {
  const line = { tone: 'withdrawn' as const, text: 'no' };
  expect(new ChatStyle(true).rows(line, 40)[0]).toContain('\x1b[2;9mno\x1b[0m');
  expect(new ChatStyle(false).rows(line, 40)).toEqual(['│  no']);
});

test('a status, a head line and a foot line are one row without controls, however long the text is', () => {
  const style = new ChatStyle(false);
  const evil = `x\x1b[2J\r\n${'y'.repeat(100_000)}`;
  const status = style.status(evil, 40);
  expect(status).toMatch(/^│ {2}x‹U\+001B›\[2J.*…$/);
  expect(status.length).toBeLessThanOrEqual(40);
  for (const row of [style.begin(evil), style.end(evil)]) expect(row).not.toMatch(/\p{Cc}/u);
});

test('a line of any length is broken where characters end, and in time', async () => {
  for (const character of ['a', 'é', '👩‍👩‍👧', '🇨🇭', 'e\u0301']) {
    for (let before = 0; before < 12; before++) {
      const text = 'x'.repeat(250 + before) + character.repeat(20);
      const rows = wrap(text, 1000).map((row) => row.text);
      expect(rows.join('')).toBe(text);
      expect(widthOf(text)).toBe(250 + before + 20 * widthOf(character));
      expect(
        wrap(text, 251 + before)
          .map((row) => row.text)
          .join(''),
      ).toBe(text);
    }
  }
  // It would take minutes if the time of each step grew with the length of the line.
  const took = await cpuTime(() => expect(wrap('a'.repeat(500_000), 100)).toHaveLength(5000), 20_000);
  expect(took).toBeLessThan(20_000);
});
