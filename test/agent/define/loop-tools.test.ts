import { z } from 'zod';
import { CONVERSE, completion, questionSchema } from '../../../agent/define/built-in/loop-tools';
import type { JsonSchema } from '../../../agent/protocol/manifest';

/** Whether the JSON Schema lets the model pass a value. */
function takes(schema: JsonSchema, value: unknown): boolean {
  return z.fromJSONSchema(schema as never).safeParse(value).success;
}

const free = () => questionSchema(false);
const bound = () => questionSchema(true);
const message = () => CONVERSE.inputSchema;

it.each<[string, () => JsonSchema, unknown, boolean]>([
  ['a question', free, { question: 'Why?' }, true],
  ['a question with suggestions', free, { question: 'Why?', suggestions: ['this', 'that'] }, true],
  ['a question with a schema', free, { question: 'Why?', answer_schema: { type: 'number' } }, true],
  ['a question with an invalid schema', free, { question: 'Why?', answer_schema: 'number' }, false],
  ['no question', free, { suggestions: [] }, false],
  ['an empty question', free, { question: '' }, false],
  ['suggestions that are not a list', free, { question: 'Why?', suggestions: 'this' }, false],
  ['suggestions that are not texts', free, { question: 'Why?', suggestions: [1] }, false],
  ['another field', free, { question: 'Why?', hint: 'x' }, false],
  ['a question whose answer has a schema', bound, { question: 'Why?', suggestions: ['this'] }, true],
  ['a schema although the answer has one', bound, { question: 'Why?', answer_schema: {} }, false],
  ['no question although the answer has a schema', bound, {}, false],
  ['a message', message, { message: 'Hello' }, true],
  ['an empty message', message, { message: '' }, false],
  ['a message with an extra field', message, { message: 'Hello', to: 'ann' }, false],
])('tells whether a model may pass %s', (_what, schema, value, expected) => {
  expect(takes(schema(), value)).toBe(expected);
});

it('the model is told what each field of a question is for', () => {
  const { properties } = free() as { properties: { [name: string]: { description: string } } };
  expect(Object.entries(properties).map(([name, { description }]) => [name, description])).toEqual([
    ['question', 'What the person reads'],
    ['suggestions', 'Suggested answers; others are possible'],
    ['answer_schema', 'JSON Schema of the answer. Default: a string'],
  ]);
});

it('the result is a text, or has the form of the output of the agent', () => {
  const description = 'Give the result when the task is done. This ends the task.';
  const output = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  expect(completion(output)).toEqual({
    description,
    inputSchema: { type: 'object', properties: { result: output }, required: ['result'] },
  });
  const text = { type: 'string', minLength: 1, description: 'The complete result, for the requester' };
  expect(completion(undefined)).toEqual({
    description,
    inputSchema: { type: 'object', properties: { result: text }, required: ['result'] },
  });
});
