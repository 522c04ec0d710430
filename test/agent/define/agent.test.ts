import { defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { fault } from '../fault';

const tool = { description: 'Looks', inputSchema: z.object({ id: z.string() }), execute: () => 'x' };

it('an agent is its name and a frozen copy of its definition', () => {
  const definition = { name: 'a.b-c.d_1', instructions: 'x', tools: { look: tool }, mcp: { files: 'files' } };
  const made = defineAgent(definition);
  expect(made).toStrictEqual({ name: 'a.b-c.d_1', definition });
  expect(made.definition).not.toBe(definition);
  expect([made, made.definition].every(Object.isFrozen)).toBe(true);
});

it('a definition is fully checked, down to the rules of an approval', () => {
  const policies = { 'files.move': { approval: { deciders: [] } } };
  expect(fault(() => defineAgent({ name: 'a.b', mcp: { files: 'files' }, policies }))).toBe(
    'Agent `a.b`.policies.files.move.approval.deciders: ' +
      'Expected at least one name, or role such as `role:finance`, in a list',
  );
});

it('infers types from the schemas', () => {
  const made = defineAgent({
    name: 'a.b',
    inputSchema: z.object({ mail: z.string() }),
    outputSchema: z.object({ n: z.number() }),
    tools: { look: defineTool({ ...tool, execute: ({ id }) => id.length }) },
    contextBuilder: ({ input }) => ({ system: input.mail.toUpperCase() }),
    outputBuilder: ({ content }) => (content === '' ? { error: 'empty' } : { data: { n: 1 } }),
  });
  type Types = NonNullable<(typeof made)['types']>;
  const input: Types['input'] = { mail: 'x' };
  const output: Types['output'] = { n: 1 };
  // @ts-expect-error a number is not a mail
  const wrong: Types['input'] = { mail: 1 };
  expect([input, output, wrong]).toHaveLength(3);
});
