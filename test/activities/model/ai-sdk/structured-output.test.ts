import { type AiSdkModel, aiSdk } from 'holdfast/worker';
import { structuredOutputOf } from '../../../../activities/model/adapters/adapter-for';
import type { CallOptions } from '../../../../activities/model/adapters/ai-sdk/request/prompt-form';
import { ask } from '../asking';
import { finish, object } from './object';

const output = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const answer = [{ type: 'text-start', id: '0' }, { type: 'text-delta', id: '0', delta: '{"a":1}' }, finish];

/** An object that says which formats it does not send, as those of the AI SDK do. */
function objectWithout(formats: readonly string[], warning: object): AiSdkModel & { options: CallOptions[] } {
  const model = object([]);
  return {
    ...model,
    doStream: async (given: never) => {
      const { responseFormat } = given as CallOptions;
      model.options.push(given);
      const form = responseFormat?.type === 'json' && 'schema' in responseFormat ? 'schema' : responseFormat?.type;
      const warnings = form !== undefined && formats.includes(form) ? [warning] : [];
      return { stream: ReadableStream.from([{ type: 'stream-start', warnings }, ...answer]) };
    },
  };
}
const system = ({ prompt }: CallOptions) => prompt.find(({ role }) => role === 'system')?.content;

test.each([
  { type: 'unsupported', feature: 'responseFormat', details: 'only with structuredOutputs' },
  { type: 'unsupported-setting', setting: 'responseFormat', details: 'only with structuredOutputs' },
])('a schema that a package leaves out is asked for in another way: %o', async (warning) => {
  const model = objectWithout(['schema'], warning);
  expect(await ask(aiSdk(model), { output })).toMatchObject({
    type: 'json',
    downgraded: { from: 'schema', to: 'json_object', why: expect.stringContaining('only with structuredOutputs') },
  });
  expect(model.options.map(({ responseFormat }) => responseFormat)).toEqual([
    expect.objectContaining({ type: 'json', schema: output }),
    { type: 'json' },
  ]);
  expect(model.options[1] && system(model.options[1])).toContain('"required":["a"]');
});

test('a package that sends no format at all describes it', async () => {
  const model = objectWithout(['schema', 'json'], { type: 'unsupported', feature: 'responseFormat' });
  expect(await ask(aiSdk(model), { output })).toMatchObject({ downgraded: { from: 'schema', to: 'prompt' } });
  expect(model.options[2]).not.toHaveProperty('responseFormat');
});

test.each([
  { type: 'compatibility', feature: 'responseFormat JSON schema', details: 'injected into the system message' },
  { type: 'unsupported', feature: 'seed' },
  { type: 'other', message: 'responseFormat is fine' },
  'responseFormat',
  null,
])('another warning changes nothing: %o', async (warning) => {
  const model = objectWithout(['schema'], warning as object);
  expect(await ask(aiSdk(model), { output })).not.toHaveProperty('downgraded');
  expect(model.options).toHaveLength(1);
});

test('a package that says in advance that it sends no schema is not asked with one', async () => {
  const model = Object.assign(objectWithout(['schema'], { type: 'unsupported', feature: 'responseFormat' }), {
    supportsStructuredOutputs: false,
  });
  expect(structuredOutputOf(aiSdk(model))).toBe('json_object');
  expect(await ask(aiSdk(model), { output })).not.toHaveProperty('downgraded');
  expect(model.options.map(({ responseFormat }) => responseFormat)).toEqual([{ type: 'json' }]);
  // The user may know better.
  expect(structuredOutputOf(aiSdk(model, { structuredOutput: 'prompt' }))).toBe('prompt');
  expect(structuredOutputOf(aiSdk(Object.assign(object([]), { supportsStructuredOutputs: true })))).toBe('schema');
});
