import {
  type Agent,
  agentService,
  childWorkflow,
  defineAgent,
  defineContract,
  eventService,
  humanReview,
  type Service,
  signalService,
} from 'holdfast';
import { z } from 'zod';
import { contractOfAgent } from '../../../agent/contracts/contract';
import { fault } from '../fault';

const Stock = defineContract({
  type: 'stock.check',
  versions: {
    '1.0.0': { accepts: z.object({ sku: z.string() }), emits: { 'evt.stock.check.success': z.object({}) } },
  },
});
const legal = defineAgent({ name: 'legal.review', inputSchema: z.object({ text: z.string() }) });

it('a service has its options, its contract and how it is reached', () => {
  const stock = { contract: Stock, version: '1.0.0' };
  const child = { workflow: 'checkStock', taskQueue: 'stock', form: 'event', timeout: '7d' } as const;
  expect(childWorkflow(Stock, '1.0.0', child)).toStrictEqual({ ...child, ...stock, kind: 'child' });
  const event = { outlet: 'crm', to: 'com.carrier' };
  expect(eventService(Stock, '1.0.0', event)).toStrictEqual({ ...event, ...stock, kind: 'event' });
  expect(signalService(Stock, '1.0.0', { priority: 2 })).toStrictEqual({ ...stock, kind: 'signal', priority: 2 });
  expect(signalService(Stock, '1.0.0')).toStrictEqual({ ...stock, kind: 'signal' });
});

it('an agent as a service has the contract of the agent', () => {
  const made = { kind: 'agent', agent: 'legal.review', contract: contractOfAgent(legal.definition), version: '1.0.0' };
  expect(agentService(legal)).toEqual(made);
  expect(agentService(legal, { priority: 2, domain: 'eu' })).toEqual({ ...made, priority: 2, domain: 'eu' });
});

it('an option cannot change the contract of a service', () => {
  const options = { kind: 'signal', version: '9.9.9', contract: humanReview, agent: 'c.d', workflow: 'w', outlet: 'o' };
  const { workflow, outlet, agent, ...known } = options;
  // An agent has a version of its own choice.
  const { version: _, ...asking } = known;
  const services = [
    childWorkflow(Stock, '1.0.0', { ...known, workflow, taskQueue: 'stock' }),
    eventService(Stock, '1.0.0', { ...known, outlet }),
    signalService(Stock, '1.0.0', known as object),
  ];
  expect(services.map(({ kind }) => kind)).toEqual(['child', 'event', 'signal']);
  expect(services.every(({ contract, version }) => contract === Stock && version === '1.0.0')).toBe(true);
  const asked = agentService(legal, { ...asking, agent } as object);
  expect([asked.kind, asked.version, 'agent' in asked && asked.agent]).toEqual(['agent', '1.0.0', 'legal.review']);
});

// A caller without types could write this.
it.each<[string, () => unknown, string]>([
  [
    'no workflow',
    () => childWorkflow(Stock, '1.0.0', {} as never),
    'childWorkflow.workflow: Expected the type of the workflow',
  ],
  [
    'no task queue',
    () => childWorkflow(Stock, '1.0.0', { workflow: 'checkStock' } as never),
    "childWorkflow.taskQueue: Expected the task queue of the workflow's worker; an agent's workers run only agents",
  ],
  [
    'no outlet',
    () => eventService(Stock, '1.0.0', {} as never),
    'eventService.outlet: Expected the name of the outlet that sends the event',
  ],
  [
    'no contract',
    () => signalService({} as typeof Stock, '1.0.0'),
    'signalService: Expected a contract made by `defineContract`',
  ],
  ['no agent', () => agentService(undefined as never), 'agentService: Expected an agent made by `defineAgent`'],
  [
    'an agent that nothing defined',
    () => agentService({ name: 'c.d' } as Agent),
    'agentService: Expected an agent made by `defineAgent`',
  ],
  [
    'an agent without a name',
    () => agentService({ definition: legal.definition } as Agent),
    'agentService: Expected an agent made by `defineAgent`',
  ],
  [
    'an agent that takes a text',
    () => agentService(defineAgent({ name: 'c.d', inputSchema: z.string() })),
    'Contract `c.d`.versions.1.0.0.accepts: Expected an object schema, got `string`',
  ],
  [
    'an agent and an empty domain',
    () => agentService(legal, { domain: '' }),
    'agentService.domain: Expected a non-empty string, or a list of them',
  ],
  [
    'a conversation',
    () => agentService(defineAgent({ name: 'c.d', mode: 'conversation' })),
    'agentService: `c.d` is a conversation, which ends only when it is closed: its caller would wait for that. Delegate to a task',
  ],
])('a service of %s is refused', (_what, make, text) => {
  expect(fault(make)).toBe(text);
});

it('an agent takes services of all kinds, and policies for them', () => {
  const services: { [name: string]: Service } = {
    stock: childWorkflow(Stock, '1.0.0', {
      workflow: 'checkStock',
      taskQueue: { eu: 'stock-eu', us: 'stock-us' },
      domain: 'eu',
      parentClosePolicy: 'abandon',
      approval: { expires: '1d' },
    }),
    legal: agentService(legal, { priority: 2 }),
    carrier: eventService(Stock, '1.0.0', { outlet: 'crm', to: 'com.carrier' }),
    'ask.person': signalService(humanReview, '1.0.0'),
  };
  const policies = { stock: { timeout: '1d', priority: 1, approval: 'never' } } as const;
  expect(defineAgent({ name: 'a.b', services, policies }).definition.services).toBe(services);
  expect(Object.values(services).every(Object.isFrozen)).toBe(true);
});

it('a service only takes versions that its contract has', () => {
  // @ts-expect-error there is no such version
  expect(fault(() => signalService(Stock, '3.0.0'))).toBe(
    'signalService: The contract `stock.check` has no version `3.0.0`; it has 1.0.0',
  );
});
