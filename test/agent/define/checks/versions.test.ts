import { type AgentDefinition, agentService, defineAgent } from 'holdfast';
import { z } from 'zod';
import { definitionAt, versionNumbers } from '../../../../agent/define/versions';
import { fault } from '../../fault';

const base = { name: 'a.b', outputSchema: z.object({ ok: z.boolean() }) };
const define = (versions: unknown) => () => defineAgent({ ...base, versions } as AgentDefinition);
const build = () => ({});

it.each<[string, unknown, string]>([
  ['that are a list', ['1.0.0'], ': Expected an object, got `["1.0.0"]`'],
  ['of which there is none', {}, ": Expected at least one version, such as `{ '1.0.0': {} }`"],
  ['with a name', { next: {} }, '.next: A version is three numbers joined by dots, such as `1.0.0`'],
  ['with a text', { '1.0.0': 'x' }, '.1.0.0: Expected an object with what differs in this version'],
  ['with tools', { '1.0.0': { tools: {} } }, '.1.0.0.tools: Unknown field; known are `inputSchema`, `outputSchema`, '],
  ['with a schema that is none', { '1.0.0': { inputSchema: {} } }, '.1.0.0.inputSchema: Expected a schema'],
  [
    'with two prompts',
    { '1.0.0': { instructions: 'x', contextBuilder: build } },
    '.1.0.0.contextBuilder: It replaces `instructions`; keep one of them',
  ],
  [
    'with a static answer that does not fit the schema of the agent',
    { '1.0.0': {}, '2.0.0': { fallbackAnswer: { ok: 1 } } },
    '.2.0.0.fallbackAnswer: It does not fit `outputSchema`',
  ],
])('an agent with versions %s is refused', (_what, versions, problem) => {
  expect(fault(define(versions))).toContain(`Agent \`a.b\`.versions${problem}`);
});

it('a version has its own prompt, whichever the agent has', () => {
  const agent = { name: 'a.b', instructions: 'x', versions: { '1.0.0': { contextBuilder: build }, '2.0.0': {} } };
  const { definition } = defineAgent(agent);
  expect(definitionAt(definition, '1.0.0')).toEqual({ name: 'a.b', contextBuilder: build });
  expect(definitionAt(definition)).toEqual({ name: 'a.b', instructions: 'x' });
});

it('the newest version is the one with the highest numbers', () => {
  const versions = { '2.0.0': {}, '10.0.0': {}, '2.10.0': {}, '2.9.1': {} };
  expect(versionNumbers({ versions })).toEqual(['2.0.0', '2.9.1', '2.10.0', '10.0.0']);
  expect(agentService(defineAgent({ name: 'a.b', versions })).version).toBe('10.0.0');
});

it('a service of a version that the agent does not have is refused', () => {
  const agent = defineAgent({ name: 'a.b', versions: { '1.0.0': {}, '2.0.0': {} } });
  expect(fault(() => agentService(agent, { version: '3.0.0' }))).toBe(
    'agentService: The contract `a.b` has no version `3.0.0`; it has 1.0.0, 2.0.0',
  );
});
