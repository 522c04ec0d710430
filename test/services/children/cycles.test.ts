import { childWorkflow, defineAgent, defineContract, eventService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { expectWhole, outcomes } from '../stage';

/** The contract of an agent, as a client that asks it by an event writes it down. */
const asked = (name: string) =>
  defineContract({
    type: `arvo.orc.${name}`,
    versions: {
      '1.0.0': {
        accepts: z.object({ text: z.string() }),
        emits: { [`arvo.orc.${name}.done`]: z.looseObject({ response: z.string() }) },
      },
    },
  });
/** A contract for the input and output of an agent's run. */
const plain = defineContract({
  type: 'run.plain',
  versions: {
    '1.0.0': {
      accepts: z.object({ input: z.string() }),
      emits: { 'evt.run.plain.done': z.looseObject({ data: z.string() }) },
    },
  },
});
const anything = defineContract({
  type: 'any.thing',
  versions: {
    '1.0.0': { accepts: z.object({ text: z.string() }), emits: { 'evt.any.thing.done': z.looseObject({}) } },
  },
});

const child = (workflow: string) => childWorkflow(plain, '1.0.0', { workflow, taskQueue: 'holdfast-test' });
const whole = (name: string) =>
  childWorkflow(asked(name), '1.0.0', { workflow: name, taskQueue: 'holdfast-test', form: 'event' });
const event = (name: string) => eventService(asked(name), '1.0.0', { outlet: name });
const agents = [
  defineAgent({ name: 'test.self', services: { plain: child('test.self'), event: whole('test.self') } }),
  defineAgent({ name: 'test.one', services: { next: child('test.two') } }),
  defineAgent({ name: 'test.two', services: { next: whole('test.three') } }),
  defineAgent({ name: 'test.three', services: { next: event('test.four') } }),
  defineAgent({ name: 'test.four', services: { next: child('test.one') } }),
  defineAgent({ name: 'test.hidden', services: { next: eventService(anything, '1.0.0', { outlet: 'hidden' }) } }),
  ...[...Array(9).keys()].map((i) =>
    defineAgent({ name: `deep.d${i}`, services: { next: i % 2 ? child(`deep.d${i + 1}`) : whole(`deep.d${i + 1}`) } }),
  ),
];

let refused: RunHandle<unknown> | undefined;
let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({
    agents,
    outlets: {
      'test.four': async (sent) => void (await kit.client.startFromEvent('test.four', sent)),
      // Gives the event another type: the run that asks cannot see that it asks itself.
      hidden: async (sent) => {
        refused = await kit.client.startFromEvent('test.hidden', { ...sent, type: 'arvo.orc.test.hidden' });
      },
    },
  });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

const REFUSED = expect.stringMatching(/^DelegationRefused: .*would wait for itself/);

test.each([
  ['plain', { input: 'x' }],
  ['event', { text: 'x' }],
])('an agent does not ask itself by a child workflow (%s)', async (service, args) => {
  kit.model.script(call(service, args), text('alone'));
  const run = await kit.start('test.self', { input: 'x' });
  expect((await run.result()).data).toBe('alone');
  expect(await outcomes(run)).toEqual({ 't1.1': REFUSED });
  await expectWhole(kit, run);
});

test('a cycle over children, whole events and an outlet is refused where it would close', async () => {
  kit.model.script(
    call('next', { input: 'x' }),
    call('next', { text: 'x' }),
    call('next', { text: 'x' }),
    call('next', { input: 'x' }),
    ...['four', 'three', 'two', 'one'].map((name) => text(name)),
  );
  const run = await kit.start('test.one', { input: 'x' });
  expect((await run.result()).data).toBe('one');
  const last = kit.model.requests.at(4);
  expect(JSON.stringify(last)).toContain('test.one → test.two → test.three → test.four → test.one');
  await expectWhole(kit, run);
});

test('an event that came back under another name is refused by the run that it starts', async () => {
  kit.model.script(call('next', { text: 'x' }), text('told'));
  const run = await kit.start('test.hidden', { input: 'x' });
  expect((await run.result()).data).toBe('told');
  await expect(refused?.result()).rejects.toMatchObject({ type: 'DelegationRefused', data: { agent: 'test.hidden' } });
  await expectWhole(kit, run);
});

test('at most eight agents are in one chain, however they are reached', async () => {
  const calls = [...Array(8).keys()].map((i) => call('next', i % 2 ? { input: 'x' } : { text: 'x' }));
  kit.model.script(...calls, ...[...Array(8).keys()].map(() => text('x')));
  const run = await kit.start('deep.d0', { input: 'x' });
  expect((await run.result()).data).toBe('x');
  expect(kit.model.requests).toHaveLength(16);
  expect(JSON.stringify(kit.model.requests.at(8))).toContain('at most 8 agents may delegate');
});
