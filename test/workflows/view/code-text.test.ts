import { code } from '../../../workflows/view/code-text';

test.each([
  ['a name', 'pay', '`pay`'],
  ['backticks, which would end it', 'a`b``c', "`a'b''c`"],
  ['several lines', ' a\n\nb ', '`a b`'],
  ['nothing', '', '` `'],
  ['60 characters', 'x'.repeat(60), `\`${'x'.repeat(60)}\``],
  ['more than 60 characters', 'x'.repeat(61), `\`${'x'.repeat(59)}…\``],
])('a text of others stands as code: %s', (_, text, shown) => {
  expect(code(text)).toBe(shown);
});

test('a text that may be longer, or has to be shorter, is cut where it is said', () => {
  expect(code('x'.repeat(80), 80)).toBe(`\`${'x'.repeat(80)}\``);
  expect(code('x'.repeat(80), 3)).toBe('`xx…`');
});
