import { code } from '../../../workflows/view/code-text';

test.each([
  ['a name', 'pay', '`pay`'],
  ['backticks, which would end it', 'a`b``c', "`a'b''c`"],
  ['several lines', ' a\n\nb ', '`a b`'],
  ['nothing', '', '` `'],
  ['60 characters', 'x'.repeat(60), `\`${'x'.repeat(60)}\``],
  ['more than 60 characters', 'x'.repeat(61), `\`${'x'.repeat(59)}…\``],
])('text from outside is shown as code: %s', (_, text, shown) => {
  expect(code(text)).toBe(shown);
});

test('a text is cut at the given length', () => {
  expect(code('x'.repeat(80), 80)).toBe(`\`${'x'.repeat(80)}\``);
  expect(code('x'.repeat(80), 3)).toBe('`xx…`');
});
