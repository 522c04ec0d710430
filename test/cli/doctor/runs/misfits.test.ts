import { type Agent, agentService, defineAgent, defineContract, defineTool, eventService } from 'holdfast';
import { z } from 'zod';
import { makeManifest } from '../../../../activities/context/make-manifest';
import { type Code, misfits } from '../../../../cli/doctor/runs/misfits';

const tool = (inputSchema: z.ZodType) => defineTool({ description: 'x', inputSchema, execute: () => null });
const pay = z.object({ amount: z.number() });
const child = defineAgent({ name: 'shop.child', inputSchema: z.object({ sku: z.string() }) });
const stock = defineContract({
  type: 'stock.check',
  versions: {
    '1.0.0': { accepts: z.object({}), emits: { 'evt.stock.check.success': z.object({ left: z.number() }) } },
  },
});
const base = {
  name: 'shop.desk',
  model: ['big', 'small'],
  outputSchema: z.object({ queue: z.string() }),
  tools: { pay: tool(pay), look: tool(z.object({})) },
  services: { child: agentService(child), carrier: eventService(stock, '1.0.0', { outlet: 'post' }) },
} as const;
const before = defineAgent(base);
const pinned = (agent: Agent<never, never> | Agent) =>
  makeManifest((agent as Agent).definition, [], { searchAttributes: false });

const told = (now: readonly unknown[], more: Partial<Code> = {}) =>
  misfits(pinned(before as never), {
    agents: now as Agent[],
    models: ['big', 'small'],
    outlets: ['post'],
    ...more,
  }).map(({ what, ends }) => `${ends ? 'ends: ' : ''}${what}`);

it('tells nothing about what runs have pinned and go on using', () => {
  const wider = defineAgent({
    ...base,
    instructions: 'other',
    limits: { maxToolInteractions: 3 },
    tools: { ...base.tools, more: tool(z.object({})), pay: tool(pay.extend({ currency: z.string().optional() })) },
  });
  expect(told([before, child])).toEqual([]);
  expect(told([wider, child])).toEqual([]);
  expect(told([defineAgent({ ...base, services: {} }), child])).toEqual([]);
});

it('tells what ends a run, and what a call will not survive', () => {
  expect(told([child])).toEqual([
    'ends: the agent `shop.desk` is gone: after a minute of trying the run fails with UnknownAgent',
  ]);
  expect(told([before])).toEqual([
    'the agent `shop.child`, which `child` calls, is gone: a call of it fails after a minute with UnknownAgent',
  ]);
  expect(told([defineAgent({ ...base, tools: { look: base.tools.look } }), child])).toEqual([
    'the tool `pay` is gone: a call of it fails after a minute with ToolMissing, which the model reads',
  ]);
  const { pay: _, ...tools } = base.tools;
  const asService = { ...base.services, pay: eventService(stock, '1.0.0', { outlet: 'post' }) };
  expect(told([defineAgent({ ...base, tools, services: asService }), child])).toEqual([
    'the tool `pay` is now a service instead of a function: a call of it fails after a minute with ToolMissing, which the model reads',
  ]);
  const stricter = { ...base.tools, pay: tool(pay.extend({ currency: z.string() })) };
  expect(told([defineAgent({ ...base, tools: stricter }), child])).toEqual([
    'the tool `pay` takes less than the run tells its model (`currency` is required): a call may fail with InvalidArguments',
  ]);
  expect(told([defineAgent({ ...base, outputSchema: z.object({ queue: z.enum(['a']) }) }), child])).toEqual([
    'the output schema takes less than the run tells its model (`queue` takes only some values): its answers may be refused until the run fails',
  ]);
});

it('tells which tools are protected in new runs alone', () => {
  const reader = { ...base, tools: { look: defineTool({ ...base.tools.look, effect: 'read' }) } } as const;
  const of = (look: object) => {
    const now = defineAgent({ ...reader, tools: { look: defineTool({ ...base.tools.look, ...look }) } });
    const code = { agents: [now, child] as Agent[], models: ['big', 'small'], outlets: ['post'] };
    return misfits(pinned(defineAgent(reader) as never), code).map(({ what }) => what);
  };
  expect(of({ effect: 'read' })).toEqual([]);
  expect(of({ effect: 'idempotent', approval: 'always' })).toEqual([
    'the tool `look` is `idempotent` now, and the run has pinned `read`: a call whose worker is lost runs again',
    'the tool `look` needs approval now, and the run has pinned that it does not: its calls run without it',
  ]);
  expect(of({ effect: 'once' })).toEqual([
    'the tool `look` is `once` now, and the run has pinned `read`: a call whose worker is lost runs again',
  ]);
});

it('tells which aliases are gone', () => {
  const code = [before, child];
  expect(told(code, { models: ['small'] })).toEqual([
    'the model `big` is gone: after a minute of trying the run uses the next of its models',
  ]);
  expect(told(code, { models: [] })).toEqual([
    'ends: the model `big`, `small` is gone: after a minute of trying the run fails with UnknownModel',
  ]);
  expect(told(code, { outlets: [] })).toEqual(['the outlet `post` is gone: events of the run cannot be sent']);
});

it('tells which versions of contracts are gone', () => {
  const versions = { '1.0.0': {}, '2.0.0': { outputSchema: z.object({ queue: z.string() }) } };
  const callee = defineAgent({ name: 'shop.callee', versions });
  const services = { callee: agentService(callee, { version: '1.0.0' }) };
  const agent = defineAgent({ name: 'shop.versions', services, versions });
  const manifest = { ...pinned(agent), contractVersion: '1.0.0' };
  const of = (agents: unknown[]) =>
    misfits(manifest, { agents: agents as Agent[], models: ['default'], outlets: [] }).map(({ what }) => what);
  expect(of([agent, callee])).toEqual([]);
  const { '1.0.0': _, ...newer } = versions;
  expect(of([agent, defineAgent({ name: 'shop.callee', versions: newer })])).toEqual([
    'version 1.0.0 of the contract of `shop.callee`, which `callee` calls, is gone: a call of it fails after a minute with UnknownVersion',
  ]);
  expect(of([defineAgent({ name: 'shop.versions', services, versions: newer }), callee])).toEqual([
    'version 1.0.0 of the contract of `shop.versions` is gone, it has 2.0.0: after a minute of trying the run fails with UnknownVersion',
  ]);
});

it('takes a run that began without versions for one of version 1.0.0', () => {
  const versions = { '1.0.0': {}, '2.0.0': { outputSchema: z.object({ other: z.string() }) } };
  const now = (given: typeof versions | Omit<typeof versions, '1.0.0'>) =>
    told([defineAgent({ ...base, versions: given }), child]);
  expect(now(versions)).toEqual([]);
  const { '1.0.0': _, ...newer } = versions;
  expect(now(newer)).toEqual([
    'ends: version 1.0.0 of the contract of `shop.desk` is gone, it has 2.0.0: after a minute of trying the run fails with UnknownVersion',
  ]);
});
