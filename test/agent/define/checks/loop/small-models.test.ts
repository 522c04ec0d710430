import { type AgentDefinition, defineAgent, defineTool } from 'holdfast';
import { z } from 'zod';
import { fault } from '../../../fault';

const tools = { look: defineTool({ description: 'Look', inputSchema: z.object({}), execute: () => 1 }) };
// A caller without types could write this.
const agent = (more: object) => fault(() => defineAgent({ name: 'a.b', tools, ...more } as AgentDefinition));
const tables = (given: unknown) => ({ responseAnalysis: { tables: given } });

it.each<[string, object, string]>([
  ['breakers that are off', { breakers: false }, '.breakers: Expected an object, got `false`'],
  ['an unknown breaker', { breakers: { toolFailure: 3 } }, '.breakers.toolFailure: Unknown field; did you mean'],
  [
    'no failures',
    { breakers: { identicalFailures: 1 } },
    '.breakers.identicalFailures: Expected a whole number from 2',
  ],
  [
    '25 failures',
    { breakers: { identicalFailures: 25 } },
    '.breakers.identicalFailures: Expected a whole number from 2',
  ],
  ['failures without end', { breakers: { identicalFailures: false } }, '.identicalFailures: Expected a whole number'],
  ['half a failure', { breakers: { toolFailures: 0.5 } }, 'from 1 to 100, or `false`, got `0.5`'],
  ['rounds that are on', { breakers: { failedRounds: true } }, 'from 1 to 100, or `false`, got `true`'],
  [
    'an unknown choice',
    { breakers: { repeatedCalls: 'stop' } },
    '.repeatedCalls: Expected `skip` or `run`, got `stop`',
  ],
  ['another one', { breakers: { emptyAnswers: 'ignore' } }, 'Expected `nudge` or `reject`, got `ignore`'],
  ['an analysis by name', { responseAnalysis: 'on' }, '.responseAnalysis: Expected `true`, `false` or an object'],
  ['an unknown option', { responseAnalysis: { claim: true } }, '.responseAnalysis.claim: Unknown field; did you mean'],
  ['claims that are text', { responseAnalysis: { claims: 'yes' } }, '.claims: Expected `true` or `false`'],
  ['an unknown table', tables({ incomplet: [] }), '.tables.incomplet: Unknown field; did you mean `incomplete`'],
  ['a table that is a text', tables({ complete: 'done' }), '.tables.complete: Expected a list of at most 200 phrases'],
  ['an empty phrase', tables({ claims: ['ok', ' '] }), '.tables.claims[1]: Expected a phrase of 1 to 100 characters'],
  ['a long phrase', tables({ negations: ['x'.repeat(101)] }), '.negations[0]: Expected a phrase of 1 to 100'],
  ['a gap at the edge', tables({ complete: [' * done'] }), '.complete[0]: Expected words on both sides of each ` * `'],
  ['half of the families', tables({ deflecting: { refuses: [] } }), '.deflecting.asks: Expected a list'],
  ['an unknown family', tables({ deflecting: { cries: [] } }), '.deflecting.cries: Unknown field'],
  ['a negative length', tables({ shortQuestion: -1 }), '.shortQuestion: Expected a whole number from 0 to 10000'],
  ['a repair by name', { repairNames: 'yes' }, '.repairNames: Expected `true`, `false` or an object'],
  ['an unknown repair', { repairNames: { alias: {} } }, '.repairNames.alias: Unknown field; did you mean `aliases`'],
  ['an alias of nothing', { repairNames: { aliases: { ls: 'list' } } }, '.aliases.ls: The agent has no tool `list`'],
  ['an alias without a tool', { repairNames: { aliases: { ls: '' } } }, '.aliases.ls: Expected the name of a tool'],
])('%s is refused', (_what, more, text) => {
  expect(agent(more)).toContain(text);
});

it('every setting is taken', () => {
  const given = {
    breakers: {
      ...({ identicalFailures: 24, repeatedCalls: 'skip', emptyAnswers: 'nudge' } as const),
      ...({ toolFailures: false, failedRounds: 1 } as const),
    },
    responseAnalysis: { claims: true, tables: { incomplete: [], complete: ['tout * fini'], shortQuestion: 0 } },
    repairNames: { aliases: { ls: 'look', get: 'web.fetch' } },
  };
  expect(defineAgent({ name: 'a.b', tools, mcp: { web: 'web' }, ...given }).definition).toMatchObject(given);
});
