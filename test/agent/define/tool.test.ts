import { defineTool } from 'holdfast';
import { z } from 'zod';
import { checkTool } from '../../../agent/define/tool';
import type { AnyTool } from '../../../agent/define/tool-definition';
import { fault } from '../fault';

const tool = { description: 'Looks', inputSchema: z.object({ id: z.string() }), execute: () => 'x' };
const odd = { '~standard': { vendor: 'odd', version: 1, validate: () => ({}) } };
// A caller without types could write this.
const check = (given: unknown) => () => checkTool(given as AnyTool, 'tools.look');

const DESCRIPTION = 'Expected a string that tells the model what the tool does';
const SCHEMA = 'Expected a schema, such as `z.object({ … })`';
const ODD = 'schemas of `odd` cannot be converted to JSON Schema; use zod 4.2 or newer';

it.each<[string, unknown, string]>([
  ['is nothing', null, ': Expected a tool made by `defineTool`'],
  ['is missing', undefined, ': Expected a tool made by `defineTool`'],
  ['is a function', () => 'x', ': Expected a tool made by `defineTool`'],
  [
    'has a misspelt field',
    { ...tool, effects: 'read' },
    '.effects: Unknown field; did you mean `effect` or `execute`?',
  ],
  ['has no description', { ...tool, description: undefined }, `.description: ${DESCRIPTION}`],
  ['has a number as its description', { ...tool, description: 7 }, `.description: ${DESCRIPTION}`],
  ['has an empty description', { ...tool, description: ' ' }, `.description: ${DESCRIPTION}`],
  ['does nothing', { ...tool, execute: undefined }, '.execute: Expected a function `(input, ctx) => result`'],
  ['has no input', { ...tool, inputSchema: undefined }, `.inputSchema: ${SCHEMA}`],
  ['has an input that is not a schema', { ...tool, inputSchema: { id: 'string' } }, `.inputSchema: ${SCHEMA}`],
  ['has an input that cannot become JSON Schema', { ...tool, inputSchema: odd }, `.inputSchema: ${ODD}`],
  ['takes a text', { ...tool, inputSchema: z.string() }, '.inputSchema: Expected an object schema, got `string`'],
  [
    'takes one or the other',
    { ...tool, inputSchema: z.union([z.object({}), z.string()]) },
    '.inputSchema: Expected an object schema, got a union; put it into a field, as in `z.object({ value: … })`',
  ],
  ['has an output that is not a schema', { ...tool, outputSchema: 'text' }, `.outputSchema: ${SCHEMA}`],
  ['has an output that cannot become JSON Schema', { ...tool, outputSchema: odd }, `.outputSchema: ${ODD}`],
  [
    'is run in no way',
    { ...tool, effect: 'twice' },
    '.effect: Expected one of `once`, `idempotent`, `read`, got `twice`',
  ],
])('a tool that %s is refused', (_what, given, text) => {
  expect(fault(check(given))).toBe(`tools.look${text}`);
});

it('an error in a single tool names `defineTool`', () => {
  expect(fault(() => defineTool({ ...tool, description: '' }))).toBe(`defineTool.description: ${DESCRIPTION}`);
});

it('a tool is a frozen copy of its definition and may return anything', () => {
  const given = { ...tool, outputSchema: z.string(), effect: 'read', attempts: 3 } as const;
  const made = defineTool(given);
  expect(made).toStrictEqual(given);
  expect(made).not.toBe(given);
  expect(Object.isFrozen(made)).toBe(true);
});

it("a tool's rules get the type of its input", () => {
  const made = defineTool({
    description: 'Pays',
    inputSchema: z.object({ amount: z.number(), account: z.string() }),
    execute: () => 'x',
    approval: { when: ({ amount }) => amount > 50, rememberBy: ({ account }) => account.trim() },
  });
  // @ts-expect-error there is no such field
  const wrong = { ...made, approval: { when: ({ sum }) => sum > 50 } } satisfies typeof made;
  expect([made, wrong]).toHaveLength(2);
});
