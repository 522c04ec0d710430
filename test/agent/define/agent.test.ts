import { type AgentDefinition, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { fault } from '../fault';

const tool = { description: 'Looks', input: z.object({ id: z.string() }), run: () => 'x' };

const agent = (more: object) => () => defineAgent({ name: 'support.triage', ...more } as AgentDefinition);

describe('defineAgent', () => {
  it.each<[string, object, string[]]>([
    ['a name of one word', { name: 'triage' }, ['defineAgent.name', '`triage`', 'support.triage']],
    ['an upper-case name', { name: 'Support.Triage' }, ['defineAgent.name']],
    ['a name of Object.prototype', { name: 'hasOwnProperty' }, ['defineAgent.name']],
    ['no name', { name: undefined }, ['defineAgent.name']],
    ['a misspelt field', { instruction: 'x' }, ['`support.triage`.instruction', 'no such field']],
    ['two prompts', { instructions: 'x', contextBuilder: () => ({}) }, ['.contextBuilder', 'instructions']],
    ['instructions that are no text', { instructions: 7 }, ['.instructions']],
    ['an input that is no schema', { input: { mail: 'string' } }, ['.input', 'z.object']],
    [
      'an output that cannot become JSON Schema',
      { output: { '~standard': { vendor: 'odd', version: 1, validate: () => ({}) } } },
      ['.output', 'odd'],
    ],
    ['a tool that is none', { tools: { look: {} } }, ['.tools.look.description']],
    ['a tool without a function', { tools: { look: { ...tool, run: undefined } } }, ['.tools.look.run']],
    [
      'a tool with a text as input',
      { tools: { look: { ...tool, input: z.string() } } },
      ['.tools.look.input', 'object'],
    ],
    [
      'an unknown effect',
      { tools: { look: { ...tool, effect: 'twice' } } },
      ['.tools.look.effect', '`once`', '`twice`'],
    ],
    ['a strange timeout', { tools: { look: { ...tool, timeout: '5 apples' } } }, ['.tools.look.timeout', "'30s'"]],
    ['a strange priority', { tools: { look: { ...tool, priority: Number.NaN } } }, ['.tools.look.priority']],
    ['the tool name default', { tools: { default: tool } }, ['.tools.default']],
    ['the tool name constructor', { tools: { constructor: tool } }, ['.tools.constructor']],
    ['our prefix', { tools: { 'holdfast.callModel': tool } }, ['holdfast']],
    ['a tool name with a space', { tools: { 'look up': tool } }, ['.tools.look up']],
    ["a tool in an MCP server's name space", { tools: { 'files.move': tool }, mcp: { files: 'files' } }, ['files']],
    ['an MCP server that is nothing', { mcp: { files: {} } }, ['.mcp.files', 'command']],
    ['an MCP server with both', { mcp: { crm: { command: 'x', url: 'https://a.b/mcp' } } }, ['.mcp.crm', 'both']],
    ['an MCP address that is none', { mcp: { crm: { url: 'localhost:80' } } }, ['.mcp.crm.url', 'https://']],
    ['a password in an MCP address', { mcp: { crm: { url: 'https://u:p@a.b/mcp' } } }, ['.mcp.crm.url', 'password']],
    [
      'an unknown MCP transport',
      { mcp: { crm: { url: 'https://a.b/mcp', transport: 'ws' } } },
      ['.transport', "'sse'"],
    ],
    [
      'a secret in an MCP header',
      { mcp: { crm: { url: 'https://a.b/mcp', headers: { Authorization: 'Bearer s3cret' } } } },
      ['.mcp.crm.headers.Authorization', "{ env: 'NAME' }"],
    ],
    ['an unknown execution', { execution: 'one by one' }, ['.execution', '`serial`', '`one by one`']],
    ['an unknown execution of a tool', { tools: { look: { ...tool, execution: true } } }, ['.tools.look.execution']],
    [
      'an unknown execution of an MCP server',
      { mcp: { crm: { command: 'x', execution: 'queue' } } },
      ['.mcp.crm.execution', '`parallel`', '`queue`'],
    ],
    ['calls at once that are neither yes nor no', { parallelToolCalls: 1 }, ['.parallelToolCalls', '`false`', '`1`']],
    [
      'an unknown approval of an MCP server',
      { mcp: { crm: { command: 'x', approval: 'some' } } },
      ['.mcp.crm.approval', '`hints`', '`some`'],
    ],
    ['an MCP name with a dot', { mcp: { 'a.b': 'x' } }, ['.mcp.a.b']],
    ['replies through nothing', { replies: ' ' }, ['.replies', 'outlet']],
    ['a listener that is no function', { onStream: 'log' }, ['.onStream', 'function']],
    ['a policy for nothing', { policies: { look: {} } }, ['.policies.look', 'no such service']],
    [
      'a tool that `files` brings',
      { files: { root: '.' }, tools: { read_file: tool } },
      ['.tools.read_file', '`files`'],
    ],
    ['no tool interactions', { limits: { maxToolInteractions: 0 } }, ['.limits.maxToolInteractions', '`0`']],
    ['a heartbeat under 2 s', { limits: { heartbeatTimeout: '1s' } }, ['.limits.heartbeatTimeout', '2 s']],
  ])('refuses %s and names the place', (_what, more, expected) => {
    const message = fault(agent(more));
    for (const part of expected) expect(message).toContain(part);
  });

  it('takes a whole definition and freezes it', () => {
    const made = defineAgent({ name: 'a.b-c.d_1', instructions: 'x', tools: { look: tool }, mcp: { files: 'files' } });
    expect(made.name).toBe('a.b-c.d_1');
    expect(Object.isFrozen(made)).toBe(true);
  });

  it('takes a listener, an outlet for replies, and the approval of a server', () => {
    const made = agent({ onStream: () => {}, replies: 'crm', mcp: { crm: { command: 'x', approval: 'hints' } } })();
    expect(made.definition).toMatchObject({ replies: 'crm' });
  });

  it('lets types flow from the schemas', () => {
    const made = defineAgent({
      name: 'a.b',
      input: z.object({ mail: z.string() }),
      output: z.object({ n: z.number() }),
      tools: { look: defineTool({ ...tool, run: ({ id }) => id.length }) },
      contextBuilder: ({ input }) => ({ system: input.mail.toUpperCase() }),
      outputBuilder: ({ content }) => (content === '' ? { error: 'empty' } : { data: { n: 1 } }),
    });
    type Types = NonNullable<(typeof made)['types']>;
    const input: Types['input'] = { mail: 'x' };
    const output: Types['output'] = { n: 1 };
    // @ts-expect-error a number is no mail
    const wrong: Types['input'] = { mail: 1 };
    expect([input, output, wrong]).toHaveLength(3);
  });
});

it('defineTool names the field at fault', () => {
  expect(fault(() => defineTool({ ...tool, description: ' ' }))).toContain('defineTool.description');
});
