import { inputRequired } from '../../../activities/mcp/input-required';

const same = (text: string) => text;
const form = (requestedSchema: unknown, message: unknown = 'How many?') => ({
  method: 'elicitation/create',
  params: { message, requestedSchema },
});
const schema = { type: 'object', properties: { n: { type: 'integer' } } };
const problem = async (request: unknown) => {
  const read = await inputRequired({ k: request }, undefined, same);
  return 'problem' in read ? read.problem : '';
};

test('a form becomes a question with its schema, a page one with its address, each under the key of the server', async () => {
  const visit = {
    method: 'elicitation/create',
    params: { mode: 'url', message: 'Log in', url: 'https://a.example/x' },
  };
  expect(await inputRequired({ b: form(schema), a: visit }, 'opaque', same)).toEqual({
    requests: [
      { key: 'b', question: 'How many?', schema },
      { key: 'a', question: 'Log in', url: 'https://a.example/x' },
    ],
    state: 'opaque',
  });
});

test('what a person cannot give is named', async () => {
  expect(await problem({ method: 'sampling/createMessage', params: {} })).toContain('`sampling/createMessage`');
  expect(await problem({ method: 'roots/list' })).toContain('`roots/list`');
  expect(await problem({ params: {} })).toContain('something without a name');
  expect(await problem('nonsense')).toContain('something without a name');
  expect(await problem({ method: 'elicitation/create', params: { mode: 'dream', message: 'm' } })).toContain('"dream"');
});

test('one request that cannot be asked fails the rest: half an answer is useless', async () => {
  expect(await inputRequired({ a: form(schema), b: { method: 'roots/list' } }, 's', same)).toHaveProperty('problem');
});

test.each([
  ['no text', form(schema, ' ')],
  ['an invalid text', form(schema, 7)],
  ['no schema', form(undefined)],
  ['a schema of another type', form({ type: 'string' })],
  ['a schema that cannot be compiled', form({ type: 'object', properties: { a: { type: 'strin' } } })],
  ['invalid parameters', { method: 'elicitation/create', params: 'x' }],
  [
    'an address that runs something',
    { method: 'elicitation/create', params: { mode: 'url', message: 'm', url: 'javascript:x' } },
  ],
  ['no address', { method: 'elicitation/create', params: { mode: 'url', message: 'm' } }],
])('a request with %s is refused', async (_, request) => {
  expect(await problem(request)).toMatch(/\S/);
});

test('more than can be kept is refused, whether it is the state or the questions', async () => {
  expect(await inputRequired({ a: form(schema) }, 'x'.repeat(65_000), same)).toHaveProperty('requests');
  expect(await inputRequired({ a: form(schema) }, 'x'.repeat(66_000), same)).toHaveProperty('problem');
  expect(await problem(form(schema, 'é'.repeat(33_000)))).toContain('more than the 65536');
  const many = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, form(schema)]));
  expect(await inputRequired(many, 's', same)).toEqual({
    problem: '17 things at once, more than the limit of 16',
  });
});

test('secrets are removed from what people read, but not from what goes back', async () => {
  const clean = (text: string) => text.replaceAll('hunter2', '***');
  const described = {
    type: 'object',
    title: 'hunter2',
    properties: { title: { type: 'string', description: 'not hunter2', enum: ['hunter2'], enumNames: ['hunter2'] } },
  };
  expect(await inputRequired({ hunter2: form(described, 'is it hunter2?') }, 'hunter2', clean)).toEqual({
    requests: [
      {
        key: 'hunter2',
        question: 'is it ***?',
        schema: {
          type: 'object',
          title: '***',
          properties: { title: { type: 'string', description: 'not ***', enum: ['hunter2'], enumNames: ['***'] } },
        },
      },
    ],
    state: 'hunter2',
  });
  expect(await inputRequired({ k: { method: 'hunter2' } }, undefined, clean)).toEqual({
    problem: '`***`, which a person cannot give',
  });
});
