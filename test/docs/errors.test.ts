import ts from 'typescript';
import { titlesOf } from './pages';
import { compilerOptions, wordsOf } from './type-script';

const UNIONS: [file: string, name: string, property?: string][] = [
  ['agent/errors/error.ts', 'ErrorType'],
  ['agent/protocol/calls/tool-call.ts', 'ToolErrorType'],
  ['agent/model/answer.ts', 'CallProblem', 'type'],
  ['agent/model/answer.ts', 'CallFault', 'type'],
];

const program = ts.createProgram(
  UNIONS.map(([file]) => file),
  { ...compilerOptions(), types: [] },
);
const sections = titlesOf('reference/errors.md')
  .filter(({ depth }) => depth === 3)
  .map(({ title }) => title);
const all = UNIONS.flatMap((union) => wordsOf(program, ...union));

it.each(UNIONS)('errors.md has a section for each type of %s %s', (...union) => {
  const words = wordsOf(program, ...union);
  expect(words.length).toBeGreaterThan(1);
  expect(words.filter((word) => !sections.includes(word))).toEqual([]);
});

it('has no section for a type that does not exist, and none twice', () => {
  expect(sections.filter((title) => !all.includes(title))).toEqual([]);
  expect(new Set(sections).size).toBe(sections.length);
});
