import { type AgentDefinition, agentService, defineAgent, defineContract, defineTool, type Schema } from 'holdfast';
import { z } from 'zod';
import { fault } from '../fault';

const tool = { description: 'Books', inputSchema: z.object({ id: z.string() }), execute: () => 'x' };
const agent = { name: 'test.books', instructions: 'x' };
const dated = z.object({ when: z.date() });
const DATE = 'No JSON value fits `z.date()`; use `z.iso.datetime()`, which is a date as text';
const contractOf = (accepts: Schema, emitted: Schema) => () =>
  defineContract({ type: 'book', versions: { '1.0.0': { accepts, emits: { 'evt.booked': emitted } } } });
const agentOf = (more: object) => () => defineAgent({ ...agent, ...more } as AgentDefinition);

it.each<[string, () => unknown, string]>([
  ['arguments', () => defineTool({ ...tool, inputSchema: dated }), 'Tool `Books`.inputSchema.when'],
  ['data of a call', contractOf(dated, z.string()), 'Contract `book`.versions.1.0.0.accepts.when'],
  ['data of an answer', contractOf(z.object({}), dated), 'Contract `book`.versions.1.0.0.emits.evt.booked.when'],
  ['input', agentOf({ inputSchema: dated }), 'Agent `test.books`.inputSchema.when'],
  ['output', agentOf({ outputSchema: dated }), 'Agent `test.books`.outputSchema.when'],
  [
    'input of a version',
    agentOf({ versions: { '1.0.0': { inputSchema: dated } } }),
    'Agent `test.books`.versions.1.0.0.inputSchema.when',
  ],
  [
    'reply to a question',
    agentOf({ questions: { ask_when: { description: 'When', answer: z.array(z.date()) } } }),
    'Agent `test.books`.questions.ask_when.answer[]',
  ],
  [
    'arguments of a tool of an agent',
    agentOf({ tools: { book: { ...tool, inputSchema: dated } } }),
    'Agent `test.books`.tools.book.inputSchema.when',
  ],
])('%s that no JSON can fill are refused by the path of the part', (_what, define, place) => {
  expect(fault(define)).toBe(`${place}: ${DATE}`);
});

it.each<[string, Schema, string]>([
  ['bigint', z.bigint(), '`z.bigint()`; use `z.int()`, or `z.string()` for numbers over 2^53'],
  ['set', z.set(z.string()), '`z.set()`; use `z.array(…)`'],
  ['map', z.map(z.string(), z.string()), '`z.map()`; use `z.record(z.string(), …)`'],
  ['symbol', z.symbol(), '`z.symbol()`; use `z.string()`'],
  ['file', z.file(), '`z.file()`; use `z.string()` with a path, a URL or Base64'],
  ['nan', z.nan(), '`z.nan()`; use `z.null()`'],
  ['nothing', z.undefined(), '`z.undefined()`; use `z.null()`, or leave it out'],
  ['void', z.void(), '`z.void()`; use `z.null()`, or leave it out'],
  ['never', z.never(), '`z.never()`; use `z.never().optional()` for a field that must be missing'],
  ['instance', z.instanceof(URL), '`z.instanceof(URL)`; use `z.object({ … })` or `z.string()`'],
])('the error advises what to write for %s', (_what, part, expected) => {
  const define = () => defineTool({ ...tool, inputSchema: z.object({ x: part as z.ZodType }) });
  expect(fault(define)).toBe(`Tool \`Books\`.inputSchema.x: No JSON value fits ${expected}`);
});

it.each<[string, Schema]>([
  [
    'discriminated union',
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
  ],
  ['union', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ['nullable object', z.object({ a: z.string() }).nullable()],
])('a %s is refused as an object, and becomes a field of one', (_what, inputSchema) => {
  expect(fault(() => defineTool({ ...tool, inputSchema } as never))).toBe(
    'Tool `Books`.inputSchema: Expected an object schema, got a union; put it into a field, as in `z.object({ value: … })`',
  );
});

it('an intersection is refused as an object too', () => {
  const inputSchema = z.object({ a: z.string() }).and(z.record(z.string(), z.string()));
  expect(fault(() => defineTool({ ...tool, inputSchema } as never))).toBe(
    'Tool `Books`.inputSchema: Expected an object schema, got an intersection; put it into a field, as in `z.object({ value: … })`',
  );
});

it.each<[string, Schema, string]>([
  ['a text', z.string(), 'got `string`'],
  ['anything', z.any(), 'got one without a type'],
])('%s is refused as an object', (_what, inputSchema, expected) => {
  expect(fault(() => defineTool({ ...tool, inputSchema } as never))).toBe(
    `Tool \`Books\`.inputSchema: Expected an object schema, ${expected}`,
  );
});

it('what a function makes need not be JSON: the result of a tool, and the output of an outputBuilder', () => {
  expect(defineTool({ ...tool, outputSchema: dated }).outputSchema).toBe(dated);
  const built = defineAgent({
    ...agent,
    outputSchema: dated,
    outputBuilder: ({ content }) => ({ data: { when: new Date(content) } }),
  });
  expect(agentService(built)).toMatchObject({ agent: 'test.books' });
});
