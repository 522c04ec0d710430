import { type AgentDefinition, defineAgent } from 'holdfast';
import { fault } from '../../../fault';

// A caller without types could write this.
const agent = (more: object) => fault(() => defineAgent({ name: 'a.b', ...more } as AgentDefinition));

it.each<[string, object, string]>([
  ['an unknown strategy', { strategy: 'tree' }, ".strategy: Expected `plan` or `{ type: 'plan', … }`"],
  ['a strategy without a type', { strategy: {} }, ".strategy: Expected `plan` or `{ type: 'plan', … }`"],
  [
    'an unknown setting',
    { strategy: { type: 'plan', stepTool: 3 } },
    '.strategy.stepTool: Unknown field; did you mean `stepTools`?',
  ],
  [
    'no tools for a step',
    { strategy: { type: 'plan', stepTools: 0 } },
    '.strategy.stepTools: Expected a whole number from 1 to 100, got `0`',
  ],
  [
    'an approval without a policy',
    { strategy: { type: 'plan', approval: true } },
    '.strategy.approval: Expected `never`, `always` or rules, got `true`',
  ],
  [
    'a question with the name of the call that shows a plan',
    { strategy: { type: 'plan', approval: 'always' }, questions: { follow_plan: { description: 'x' } } },
    '.strategy.approval: Plans are shown by a call named `follow_plan`; rename the one in `questions`',
  ],
  ['models in a list', { models: ['a'] }, '.models: Expected an object, got `["a"]`'],
  ['an unknown purpose', { models: { writer: 'a' } }, '.models.writer: Unknown field; did you mean `router`?'],
  ['a model without a name', { models: { summary: '' } }, '.models.summary: Expected the alias of a model'],
  [
    'a planner that never plans',
    { models: { planner: 'a' } },
    ".models.planner: Only an agent with `strategy: 'plan'` calls it; add the strategy or remove the model",
  ],
  [
    'two writers of summaries',
    { models: { summary: 'a' }, context: { model: 'b' } },
    '.models.summary: `context.model` names another model; keep one of them',
  ],
  [
    'a writer that never writes',
    { models: { summary: 'a' }, context: { strategy: 'tool-results' } },
    '.models.summary: No model writes summaries with this `context.strategy`; remove one of them',
  ],
])('refuses %s', (_, more, problem) => {
  expect(agent(more)).toBe(`Agent \`a.b\`${problem}`);
});

it.each<[string, object]>([
  ['the name of the strategy', { strategy: 'plan' }],
  ['all settings', { strategy: { type: 'plan', approval: { expires: '1d' }, stepTools: 5 } }],
  [
    'plans that need no approval',
    { strategy: { type: 'plan', approval: 'never' }, questions: { follow_plan: { description: 'x' } } },
  ],
  [
    'a model for each purpose',
    { strategy: 'plan', models: { planner: 'a', router: 'b', synthesis: 'c', summary: 'd' } },
  ],
  ['the same writer twice', { models: { summary: 'a' }, context: { strategy: 'summarise', model: 'a' } }],
])('takes %s', (_, more) => {
  expect(defineAgent({ name: 'a.b', ...more } as AgentDefinition).definition).toMatchObject(more);
});
