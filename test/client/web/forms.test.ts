import { draftOf, fieldsOfSchema, fieldsOfValue, objectOf, readFields } from '../../../client/web/forms/fields';

const schema = {
  type: 'object',
  properties: {
    order: { type: 'string', description: 'Its number' },
    amount: { type: 'number' },
    lines: { type: 'integer', title: 'Number of lines' },
    urgent: { type: 'boolean' },
    kind: { enum: ['new', 'reply', 3] },
    extra: { type: ['object', 'null'] },
  },
  required: ['order', 'amount'],
};

it('a schema of an object is a form with an input for each property', () => {
  expect(fieldsOfSchema(schema)).toMatchObject([
    { name: 'order', kind: 'text', required: true, description: 'Its number' },
    { name: 'amount', kind: 'number', required: true },
    { name: 'lines', kind: 'integer', label: 'Number of lines', required: false },
    { name: 'urgent', kind: 'boolean' },
    { name: 'kind', kind: 'choice', choices: ['new', 'reply', 3] },
    { name: 'extra', kind: 'json' },
  ]);
  expect(fieldsOfSchema({ type: 'string' })).toBeUndefined();
});

it('typed values become JSON of the right types, and empty optional ones are left out', () => {
  const fields = fieldsOfSchema(schema) ?? [];
  const draft = { ...draftOf(fields, {}), order: 'A-17', amount: '1.50', kind: '3', extra: '{"a":[1]}' };
  expect(readFields(fields, draft)).toEqual({
    value: { order: 'A-17', amount: 1.5, kind: 3, extra: { a: [1] } },
  });
});

it('each wrong input has its own problem', () => {
  const fields = fieldsOfSchema(schema) ?? [];
  const read = readFields(fields, { order: '', amount: 'much', lines: '1.5', extra: '{', kind: 'other' });
  expect(read).toMatchObject({
    problems: {
      amount: 'Expected a number.',
      lines: 'Expected a whole number.',
      kind: 'Choose one.',
      extra: expect.stringContaining('Invalid JSON'),
    },
  });
});

it('arguments that are edited and left unchanged stay equal', () => {
  const input = { to: 'a\nb', n: 0, ok: false, none: null, list: [1, { x: 'y' }] };
  const fields = fieldsOfValue(input);
  expect(readFields(fields, draftOf(fields, input))).toEqual({ value: input });
});

it('JSON that is not an object is refused', () => {
  expect(objectOf('[1]')).toHaveProperty('problem');
  expect(objectOf('{"a":1}')).toEqual({ value: { a: 1 } });
});
