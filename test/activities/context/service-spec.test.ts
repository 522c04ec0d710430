import fc from 'fast-check';
import {
  agentService,
  childWorkflow,
  defineAgent,
  defineContract,
  eventService,
  humanReview,
  type JsonSchema,
  type Service,
  signalService,
  toolApproval,
} from 'holdfast';
import { z } from 'zod';
import { makeManifest } from '../../../activities/context/make-manifest';
import { withoutParentSubject } from '../../../activities/context/service-spec';
import type { ToolOf } from '../../../agent/protocol/manifest';

const Stock = defineContract({
  type: 'stock.check',
  uri: '#/shop/stock',
  versions: {
    '1.0.0': {
      accepts: z.object({ parentSubject$$: z.string(), sku: z.string() }),
      emits: { 'evt.stock.check.success': z.object({ left: z.number() }) },
    },
    '2.0.0': { accepts: z.object({ sku: z.string() }), emits: { 'evt.stock.check.success': z.object({}) } },
  },
});

function specOf(service: Service, more: Parameters<typeof defineAgent>[0] | object = {}) {
  const { definition } = defineAgent({ name: 'test.caller', services: { it: service }, ...more });
  const [spec] = makeManifest(definition, [], { searchAttributes: false }).tools;
  expect(JSON.parse(JSON.stringify(spec))).toEqual(spec);
  return spec as ToolOf<'service'>;
}

describe('a service in several domains', () => {
  const domain = ['eu', 'us', 'asia'];

  it('is pinned with the place of each', () => {
    const taskQueue = { eu: 'q-eu', us: 'q-us', asia: 'q-asia', moon: 'q-moon' };
    const child = childWorkflow(Stock, '1.0.0', { workflow: 'checkStock', domain, taskQueue });
    const others = { us: 'q-us', asia: 'q-asia' };
    expect(specOf(child).service).toMatchObject({ domain: 'eu', taskQueue: 'q-eu', domains: others });
    const event = eventService(Stock, '1.0.0', { domain, outlet: { eu: 'a', us: 'b', asia: 'c' } });
    expect(specOf(event).service).toMatchObject({ domain: 'eu', outlet: 'a', domains: { us: 'b', asia: 'c' } });
  });

  it('may have one place for all', () => {
    const nowhereElse = { us: null, asia: null };
    const signal = signalService(Stock, '1.0.0', { domain });
    expect(specOf(signal).service).toMatchObject({ domain: 'eu', domains: nowhereElse });
    const event = eventService(Stock, '1.0.0', { domain, outlet: 'a' });
    expect(specOf(event).service).toMatchObject({ outlet: 'a', domains: nowhereElse });
    const one = signalService(Stock, '1.0.0', { domain: ['eu'] });
    expect(specOf(one).service).not.toHaveProperty('domains');
  });
});

it('a child workflow is pinned completely, without the field that only the run can fill', () => {
  const service = childWorkflow(Stock, '1.0.0', {
    workflow: 'checkStock',
    taskQueue: 'stock',
    timeout: '7d',
    description: 'Counts',
  });
  expect(specOf(service)).toEqual({
    name: 'it',
    kind: 'service',
    modelName: 'it',
    description: 'Counts',
    inputSchema: expect.objectContaining({
      type: 'object',
      properties: { sku: { type: 'string' } },
      required: ['sku'],
    }),
    effect: 'once',
    priority: 0,
    timeout: 60_000,
    attempts: 1,
    placement: 'activity',
    cancellation: 'wait',
    service: {
      kind: 'child',
      contract: {
        uri: '#/shop/stock',
        version: '1.0.0',
        accepts: 'com.stock.check',
        emits: {
          'evt.stock.check.success': expect.objectContaining({ properties: { left: { type: 'number' } } }),
        },
        systemError: 'sys.com.stock.check.error',
      },
      parentSubject: true,
      taskQueue: 'stock',
      timeout: 604_800_000,
      workflow: 'checkStock',
      parentClosePolicy: 'cancel',
    },
  });
});

it('the version chooses the schemas', () => {
  const spec = specOf(signalService(Stock, '2.0.0'));
  expect(spec?.service).toMatchObject({ kind: 'signal', contract: { version: '2.0.0' } });
  expect(spec?.service).not.toHaveProperty('parentSubject');
  expect(spec?.service).not.toHaveProperty('timeout');
});

it('the domain chooses the task queue, or the outlet', () => {
  const queues = { taskQueue: { eu: 'stock-eu', us: 'stock-us' }, domain: 'us' };
  const child = childWorkflow(Stock, '1.0.0', {
    workflow: 'x',
    form: 'event',
    parentClosePolicy: 'abandon',
    ...queues,
  });
  expect(specOf(child)?.service).toMatchObject({
    domain: 'us',
    taskQueue: 'stock-us',
    form: 'event',
    parentClosePolicy: 'abandon',
  });
  const event = eventService(Stock, '1.0.0', { outlet: { eu: 'crm-eu', us: 'crm-us' }, domain: 'eu' });
  expect(specOf(event)?.service).toMatchObject({ domain: 'eu', outlet: 'crm-eu', to: 'com.stock.check' });
  const all = eventService(Stock, '1.0.0', { outlet: 'crm', domain: 'eu', to: 'shop' });
  expect(specOf(all)?.service).toMatchObject({ domain: 'eu', outlet: 'crm', to: 'shop' });
});

it('another agent takes its own input, and answers with its completion event', () => {
  const legal = defineAgent({
    name: 'legal.review',
    description: 'Reads contracts',
    inputSchema: z.object({ parentSubject$$: z.string(), text: z.string() }),
  });
  expect(specOf(agentService(legal, { taskQueue: 'legal' }))).toMatchObject({
    description: 'Reads contracts',
    inputSchema: { properties: { text: { type: 'string' } }, required: ['text'] },
    service: {
      kind: 'agent',
      workflow: 'legal.review',
      taskQueue: 'legal',
      parentSubject: true,
      contract: {
        accepts: 'arvo.orc.legal.review',
        emits: { 'arvo.orc.legal.review.done': { type: 'object', required: ['response'] } },
        systemError: 'sys.arvo.orc.legal.review.error',
      },
    },
  });
});

it.each([
  ['permission for tools', toolApproval, 1],
  ['a person', humanReview, 2],
] as const)('a service that asks for %s comes first, unless it sets a priority', (_what, contract, priority) => {
  const made = (more: object) => signalService(contract as typeof humanReview, '1.0.0', more);
  expect(specOf(made({}))).toMatchObject({ priority, description: contract.description });
  expect(specOf(made({ priority: 0 }))).toMatchObject({ priority: 0 });
});

it('a service without a description is described by its contract', () => {
  expect(specOf(signalService(Stock, '1.0.0'))?.description).toContain('`stock.check`');
});

it("the agent's policies override priority, timeout and approval of a service", () => {
  const service = signalService(Stock, '1.0.0', { priority: 1, timeout: '7d', approval: 'always' });
  expect(specOf(service)).toMatchObject({ approval: { asks: false, onExpire: 'deny' } });
  const policies = { it: { priority: 3, timeout: '1h', approval: 'never' } };
  const spec = specOf(service, { policies });
  expect(spec).toMatchObject({ priority: 3, timeout: 60_000, service: { timeout: 3_600_000 } });
  expect(spec).not.toHaveProperty('approval');
});

const name = fc.string({ minLength: 1 }).filter((text) => text !== '__proto__' && text !== 'parentSubject$$');
const property = fc.constantFrom<JsonSchema>(
  { type: 'string' },
  { type: 'object', properties: { parentSubject$$: {} } },
);

it('any schema with `parentSubject$$` loses exactly that field', () => {
  fc.assert(
    fc.property(
      fc.dictionary(name, property),
      fc.option(fc.boolean(), { nil: undefined }),
      fc.dictionary(fc.constantFrom('title', 'description', 'additionalProperties', '$comment'), fc.boolean()),
      (properties, isRequired, more) => {
        const required = Object.keys(properties).filter((key) => key.length % 2 === 0);
        const without = {
          ...more,
          type: 'object',
          properties,
          ...(isRequired === undefined ? {} : { required }),
        };
        const given = {
          ...without,
          properties: { parentSubject$$: { type: 'string' }, ...properties },
          ...(isRequired === undefined ? {} : { required: isRequired ? [...required, 'parentSubject$$'] : required }),
        };
        const before = JSON.stringify(given);
        expect(withoutParentSubject(given as JsonSchema)).toEqual(without);
        expect(withoutParentSubject(without as JsonSchema)).toEqual(without);
        expect(JSON.stringify(given)).toBe(before);
      },
    ),
  );
});
