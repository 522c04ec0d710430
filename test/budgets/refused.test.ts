import { agentService, defineAgent } from 'holdfast';
import { checkReferences } from '../../workers/check-references';
import { agent, money } from './stage/stage';

const prices = { prompt: 1, completion: 1 };
const models = {
  default: { baseUrl: 'http://127.0.0.1:9', model: 'm', prices },
  euros: { baseUrl: 'http://127.0.0.1:9', model: 'm', prices: { ...prices, currency: 'EUR' } },
  free: { baseUrl: 'http://127.0.0.1:9', model: 'm' },
};
const check = (...agents: Parameters<typeof checkReferences>[0]) =>
  checkReferences(agents, { models, mcp: {}, outlets: {} });
const budget = { cost: money(1) };
const refused = (message: string) =>
  expect.objectContaining({ type: 'InvalidDefinition', message: expect.stringContaining(message) });

describe('a worker refuses a budget in money', () => {
  it('for a model of the chain that has no prices', () => {
    const chain = agent('chain', { model: ['default', 'free'], budget });
    expect(() => check(chain)).toThrow(refused('The model `free` has no prices, so a budget in USD cannot be kept'));
    expect(() => check(agent('fine', { model: 'default', budget }))).not.toThrow();
    expect(() => check(agent('unlimited', { model: 'free', budget: { tokens: 1 } }))).not.toThrow();
  });

  it('for a model with prices in another currency', () => {
    expect(() => check(agent('other', { model: 'euros', budget }))).toThrow(
      refused('The prices of the model `euros` are in EUR, and the budget is in USD'),
    );
  });

  it('for a child agent without prices', () => {
    const child = agent('child', { model: 'free' });
    const parent = agent('parent', { services: { child: agentService(child) }, budget });
    expect(() => check(parent, child)).toThrow(
      refused('Agent `budget.parent`.budget.cost: The model `free` has no prices'),
    );
  });
});

describe('a definition refuses', () => {
  const child = agent('child');
  it.each<[string, () => unknown, string]>([
    [
      'a negative amount',
      () => agent('a', { budget: { tokens: -1 } }),
      '.budget.tokens: Expected a whole number of at least 0',
    ],
    ['half a call', () => agent('a', { budget: { modelCalls: 1.5 } }), '.budget.modelCalls: Expected a whole number'],
    [
      'money without a currency',
      () => agent('a', { budget: { cost: { amount: 1 } as never } }),
      '.budget.cost.currency: Expected an ISO 4217 code',
    ],
    [
      'negative money',
      () => agent('a', { budget: { cost: money(-1) } }),
      '.budget.cost.amount: Expected a number of at least 0',
    ],
    ['a number in place of money', () => agent('a', { budget: { cost: 1 as never } }), '.budget.cost: Expected money'],
    [
      'a time that is none',
      () => agent('a', { budget: { time: 'long' as never } }),
      ".budget.time: Expected milliseconds or a duration such as '1h'",
    ],
    [
      'a fraction over 1',
      () => agent('a', { budget: { soft: 80 } }),
      '.budget.soft: Expected a number over 0, at most 1',
    ],
    ['an unknown field', () => agent('a', { budget: { coins: 1 } as never }), '.budget: Unknown field `coins`'],
    [
      'exchanges of a task',
      () => agent('a', { budget: { perExchange: { tokens: 1 } } }),
      '.budget.perExchange: Only a conversation has exchanges',
    ],
    [
      'two currencies',
      () =>
        defineAgent({
          name: 'a.b',
          mode: 'conversation',
          budget: { ...budget, perExchange: { cost: money(1, 'EUR') } },
        }),
      '.budget.perExchange.cost.currency: Expected USD, the currency of the run, got EUR',
    ],
    [
      'a service in another currency',
      () => agent('a', { budget, services: { child: agentService(child, { budget: { cost: money(1, 'EUR') } }) } }),
      ".services.child.budget.cost.currency: Expected USD, the currency of the agent's budget, got EUR",
    ],
    [
      'a service with a wrong budget',
      () => agentService(child, { budget: { tokens: -1 } }),
      'agentService.budget.tokens: Expected a whole number',
    ],
  ])('%s', (_what, define, message) => {
    expect(define).toThrow(refused(message));
  });
});
