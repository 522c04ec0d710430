import { schemaWords } from '../../../cli/inbox/schema-words';

test.each([
  [{ type: 'integer', minimum: 1 }, 'a whole number from 1'],
  [{ enum: ['a', 2] }, 'one of "a", 2'],
  [{ type: 'string', format: 'email' }, 'a text as email'],
  [{ type: 'array', items: { type: 'number' } }, 'JSON, a list of a number'],
  [
    { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['a'] },
    'JSON, an object with `a` (a text), `b` (true or false, optional)',
  ],
  [{ anyOf: [{ type: 'null' }] }, 'JSON that fits {"anyOf":[{"type":"null"}]}'],
])('puts the schema %j into words', (schema, words) => {
  expect(schemaWords(schema)).toBe(words);
});
