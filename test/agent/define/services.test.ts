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
import { fault } from '../fault';

const Stock = defineContract({
  type: 'stock.check',
  versions: {
    '1.0.0': { accepts: z.object({ sku: z.string() }), emits: { 'evt.stock.check.success': z.object({}) } },
  },
});
const legal = defineAgent({ name: 'legal.review', input: z.object({ text: z.string() }) });
const stock = childWorkflow(Stock, '1.0.0', { workflow: 'checkStock' });
const tool = { description: 'Looks', input: z.object({}), run: () => 'x' };

// What a caller without types could write.
const child = (options: unknown) => () => childWorkflow(Stock, '1.0.0', options as { workflow: string });
const event = (options: unknown) => () => eventService(Stock, '1.0.0', options as { outlet: string });
const signal = (options: unknown) => () => signalService(Stock, '1.0.0', options as object);
const agent = (more: object) => () => defineAgent({ name: 'a.b', ...more });

it.each<[string, () => unknown, string[]]>([
  ['a version that is none', () => childWorkflow(Stock, '2.0.0' as '1.0.0', { workflow: 'x' }), ['`2.0.0`', '1.0.0']],
  ['no contract', () => signalService({} as typeof Stock, '1.0.0'), ['signalService', 'defineContract']],
  ['no agent', () => agentService(undefined as unknown as Agent), ['agentService', 'defineAgent']],
  [
    'an agent that takes a text',
    () => agentService(defineAgent({ name: 'c.d', input: z.string() })),
    ['`c.d`', '.accepts', 'object schema'],
  ],
  ['no workflow', child({}), ['childWorkflow.workflow']],
  ['an empty workflow', child({ workflow: ' ' }), ['childWorkflow.workflow']],
  ['no outlet', event({}), ['eventService.outlet']],
  ['nobody whom the event is for', event({ outlet: 'crm', to: '' }), ['eventService.to']],
  ['a misspelt field', child({ workflow: 'x', timeOut: '1d' }), ['childWorkflow.timeOut', '`timeout`']],
  ['a field of another way', signal({ outlet: 'crm' }), ['signalService.outlet', 'no such field']],
  ['a strange timeout', signal({ timeout: 'later' }), ['.timeout', "'7d'", '`later`']],
  ['a strange priority', signal({ priority: 'high' }), ['.priority', '`high`']],
  ['an empty domain', signal({ domain: '' }), ['.domain']],
  ['a description that is no text', signal({ description: 7 }), ['.description']],
  ['a strange approval', signal({ approval: 'yes' }), ['.approval', '`yes`']],
  ['a strange end', child({ workflow: 'x', parentClosePolicy: 'kill' }), ['.parentClosePolicy', '`cancel`', '`kill`']],
  ['a strange form', child({ workflow: 'x', form: 'xml' }), ['.form', '`event`', '`xml`']],
  ['queues by domain without a domain', child({ workflow: 'x', taskQueue: { eu: 'q' } }), ['.taskQueue', '`domain`']],
  [
    'queues of other domains',
    child({ workflow: 'x', taskQueue: { eu: 'q' }, domain: 'us' }),
    ['.taskQueue', '`us`', '`eu`'],
  ],
  ['an empty queue', child({ workflow: 'x', taskQueue: { eu: '' }, domain: 'eu' }), ['.taskQueue', 'for each domain']],
  ['outlets of other domains', event({ outlet: { eu: 'crm' }, domain: 'toString' }), ['.outlet', '`toString`']],
])('a service with %s is refused and the place named', (_what, make, expected) => {
  const message = fault(make);
  for (const part of expected) expect(message).toContain(part);
});

it.each<[string, object, string[]]>([
  ['that nothing made', { services: { stock: {} } }, ['Agent `a.b`.services.stock', '`childWorkflow`']],
  ['with a way that is none', { services: { stock: { ...stock, kind: 'post' } } }, ['.services.stock']],
  ['that was changed to nonsense', { services: { stock: { ...stock, workflow: '' } } }, ['.services.stock.workflow']],
  ['named like a tool', { services: { look: stock }, tools: { look: tool } }, ['.services.look', 'tool of this name']],
  ['named like a file tool', { services: { read_file: stock }, files: { root: '.' } }, ['.services.read_file']],
  ['named like a tool of a server', { services: { 'crm.add': stock }, mcp: { crm: 'crm' } }, ['`crm.…`']],
  ['named with a space', { services: { 'the stock': stock } }, ['.services.the stock', 'A service is named']],
  ['named constructor', { services: { constructor: stock } }, ['.services.constructor']],
  ['named with our prefix', { services: { 'holdfast.stock': stock } }, ['`holdfast`']],
  [
    'with a policy that is for tools',
    { services: { stock }, policies: { stock: { attempts: 3 } } },
    ['.policies.stock.attempts', '`timeout`'],
  ],
  [
    'with a strange policy',
    { services: { stock }, policies: { stock: { timeout: 'x' } } },
    ['.policies.stock.timeout', '`x`'],
  ],
])('an agent with a service %s is refused and the place named', (_what, more, expected) => {
  const message = fault(agent(more));
  for (const part of expected) expect(message).toContain(part);
});

it('an agent takes services of all ways, and policies for them', () => {
  const services: { [name: string]: Service } = {
    stock: childWorkflow(Stock, '1.0.0', {
      workflow: 'checkStock',
      taskQueue: { eu: 'stock-eu', us: 'stock-us' },
      domain: 'eu',
      timeout: '7d',
      parentClosePolicy: 'abandon',
      form: 'event',
      approval: { expires: '1d' },
    }),
    legal: agentService(legal, { priority: 2 }),
    carrier: eventService(Stock, '1.0.0', { outlet: 'crm', to: 'com.carrier' }),
    'ask.person': signalService(humanReview, '1.0.0'),
  };
  const policies = { stock: { timeout: '1d', priority: 1, approval: 'never' } } as const;
  expect(agent({ services, policies })().definition.services).toBe(services);
  expect(Object.values(services).every(Object.isFrozen)).toBe(true);
});

it('a service only takes versions that its contract has', () => {
  // @ts-expect-error there is no such version
  expect(() => signalService(Stock, '3.0.0')).toThrow('3.0.0');
});
