import fc from 'fast-check';
import { readFrontMatter } from '../../../activities/skills/front-matter';

function problemOf(text: string): string {
  try {
    return JSON.stringify(readFrontMatter(text));
  } catch (error) {
    return (error as Error).message;
  }
}

test.each<[string, string, object]>([
  ['plain', '---\nname: pdf\ndescription: Reads PDFs.\n---\n# PDF', { name: 'pdf', description: 'Reads PDFs.' }],
  ['with other keys', '---\nname: a-b_1\nlicense: MIT\ndescription: x\n---\n', { name: 'a-b_1', description: 'x' }],
  ['with line ends of Windows', '---\r\nname: a\r\ndescription: x\r\n---\r\ntext', { name: 'a', description: 'x' }],
  ['with a byte order mark', '\uFEFF---\nname: a\ndescription: x\n---', { name: 'a', description: 'x' }],
  [
    'with a folded text',
    '---\nname: a\ndescription: >\n  two\n  lines\n---\n',
    { name: 'a', description: 'two lines' },
  ],
])('front matter that is %s', (_, text, found) => {
  expect(readFrontMatter(text)).toEqual(found);
});

const BLOCK = 'Expected the file to begin with YAML between two lines of `---`';
const DESCRIPTION = 'Expected `description` to be a text that says when to use the skill';

test.each<[string, string, string]>([
  ['no front matter', '# PDF', BLOCK],
  ['no end of it', '---\nname: a\ndescription: x\n', BLOCK],
  ['a text before it', 'x\n---\nname: a\n---\n', BLOCK],
  ['nothing in it', '---\n---\n', 'Expected its front matter to have `name` and `description`'],
  ['a list', '---\n- a\n---\n', 'Expected its front matter to have `name` and `description`'],
  ['no name', '---\ndescription: x\n---\n', 'Expected `name` to be 1 to 64 letters, digits, `-` and `_`, got none'],
  [
    'a name with a path',
    '---\nname: ../a\ndescription: x\n---\n',
    'Expected `name` to be 1 to 64 letters, digits, `-` and `_`, got `"../a"`',
  ],
  ['no description', '---\nname: a\n---\n', DESCRIPTION],
  ['an empty description', '---\nname: a\ndescription: "  "\n---\n', DESCRIPTION],
  ['a description that is a number', '---\nname: a\ndescription: 7\n---\n', DESCRIPTION],
  [
    'a long description',
    `---\nname: a\ndescription: ${'x'.repeat(1025)}\n---\n`,
    'Expected `description` to have at most 1024 characters, got 1025',
  ],
])('front matter is refused with %s', (_, text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test('YAML that is broken, or expands without end, is refused', () => {
  expect(problemOf('---\nname: [a\ndescription: x\n---\n')).toMatch(/^Its front matter is not valid YAML: /);
  const bomb = '---\na: &a [x, x]\nb: &b [*a, *a]\nname: a\ndescription: *b\n---\n';
  expect(() => readFrontMatter(bomb)).toThrow(Error);
});

test('no text makes it fail other than with an error of one line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      for (const whole of [text, `---\n${text}\n---\n`]) {
        try {
          readFrontMatter(whole);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
          expect((error as Error).message).not.toContain('\n');
        }
      }
    }),
  );
});
