import { type AgentDefinition, defineAgent, defineContract, defineTool, signalService } from 'holdfast';
import { z } from 'zod';
import { fault } from '../../fault';

const tool = defineTool({ description: 'Looks', inputSchema: z.object({}), execute: () => 'x' });
const Stock = defineContract({
  type: 'stock.check',
  versions: { '1.0.0': { accepts: z.object({}), emits: { 'evt.stock.check.success': z.object({}) } } },
});
const service = signalService(Stock, '1.0.0');
const question = { description: 'Asks it' };
const files = { root: '.' };

const agent = (more: object) => () => defineAgent({ name: 'a.b', ...more } as AgentDefinition);

/** Makes an agent with a tool, a service or a question of this name. */
const KINDS: [string, (name: string) => object][] = [
  ['tool', (name) => ({ tools: { [name]: tool } })],
  ['service', (name) => ({ services: { [name]: service } })],
  ['question', (name) => ({ questions: { [name]: question } })],
];

describe.each(KINDS)('a %s', (kind, named) => {
  const at = (name: string) => `Agent \`a.b\`.${kind}s.${name}`;

  it.each(['', 'look up', '1st', '_look', 'look.', '.look', 'look..up', 'schön'])('cannot be named `%s`', (name) => {
    const text = `A ${kind} is named with letters, digits, \`_\`, \`-\` and dots, a letter first`;
    expect(fault(agent(named(name)))).toBe(`${at(name)}: ${text}`);
  });

  it.each(['default', 'constructor', 'toString'])('cannot be named `%s`, which has a meaning in JavaScript', (name) => {
    expect(fault(agent(named(name)))).toBe(`${at(name)}: This name has a meaning in JavaScript; choose another`);
  });

  it.each(['holdfast', 'holdfast.look', 'Holdfast.look'])('cannot be named `%s`, which is reserved', (name) => {
    expect(fault(agent(named(name)))).toBe(`${at(name)}: The prefix \`holdfast\` is taken`);
  });

  it('cannot be named like a tool of an MCP server', () => {
    const text = 'The MCP server `crm` names its tools `crm.…`; choose another name';
    expect(fault(agent({ ...named('crm.add'), mcp: { files: 'files', crm: 'crm' } }))).toBe(
      `${at('crm.add')}: ${text}`,
    );
  });

  it.each(['list_directory', 'read_file'])('cannot be named `%s` if the agent has `files`', (name) => {
    const text = 'The agent has `files`, which brings a tool of this name';
    expect(fault(agent({ ...named(name), files }))).toBe(`${at(name)}: ${text}`);
    expect(agent(named(name))).not.toThrow();
  });

  it.each(['look', 'a', 'look.up', 'Look-up_2.1-x', 'holdfasts.look', 'crm'])('may be named `%s`', (name) => {
    expect(agent({ ...named(name), mcp: { crm: 'crm' }, files })).not.toThrow();
  });
});

it.each<[string, object, string]>([
  [
    'a service like a tool',
    { tools: { look: tool }, services: { look: service } },
    'services.look: The agent has a tool of this name; choose another name',
  ],
  [
    'a question like a tool',
    { tools: { look: tool }, questions: { look: question } },
    'questions.look: The agent has a tool of this name; choose another name',
  ],
  [
    'a question like a service',
    { services: { look: service }, questions: { look: question } },
    'questions.look: The agent has a service of this name; choose another name',
  ],
  [
    'a tool like one of the loop',
    { tools: { converse: tool } },
    'tools.converse: The loop has a tool of this name (`loopTools`); choose another name',
  ],
  [
    'a service like one of the loop',
    { services: { ask_question: service } },
    'services.ask_question: The loop has a tool of this name (`loopTools`); choose another name',
  ],
  [
    'a question like the result',
    { questions: { task_completion: {} } },
    'questions.task_completion: The loop has a tool of this name (`loopTools`); choose another name',
  ],
  ['a server with a dot', { mcp: { 'a.b': 'x' } }, 'mcp.a.b: A server is named with letters, digits, `_` and `-`'],
  [
    'a server that starts with a digit',
    { mcp: { '1': 'x' } },
    'mcp.1: A server is named with letters, digits, `_` and `-`',
  ],
  ['a server `holdfast`', { mcp: { HoldFast: 'x' } }, 'mcp.HoldFast: The name `holdfast` is taken'],
])('an agent that names %s is refused', (_what, more, text) => {
  expect(fault(agent(more))).toBe(`Agent \`a.b\`.${text}`);
});

it('an agent may have tools, services, questions and servers with different names', () => {
  const questions = { ask_it: question, ask_question: {} };
  const more = { tools: { look: tool }, services: { stock: service }, questions, mcp: { crm_2: 'x', 'my-crm': 'y' } };
  expect(agent(more)).not.toThrow();
});
