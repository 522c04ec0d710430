import { defineAgent, defineContract, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import { z } from 'zod';
import { endOf, expectWhole, outcomes } from './stage';

/** No JSON Schema can say which days there are, nor who may ask. */
const booking = defineContract({
  type: 'room.book',
  description: 'Book a room',
  versions: {
    '1.0.0': {
      accepts: z
        .object({ from: z.number(), to: z.number(), parentSubject$$: z.string() })
        .refine(({ from, to }) => from < to, { path: ['to'], message: 'has to be after `from`' })
        .refine(({ parentSubject$$: by }) => by.startsWith('test.hotel'), 'only a hotel may book'),
      emits: {
        'evt.room.book.success': z.object({ room: z.number().refine((room) => room !== 13, 'no such room') }),
        'evt.room.book.full': z.object({ until: z.number() }),
      },
    },
  },
});
const broken = defineContract({
  type: 'room.count',
  description: 'Count rooms',
  versions: {
    '1.0.0': {
      accepts: z.object({ floor: z.number() }).refine(() => {
        throw new Error('no plan of the house');
      }),
      emits: { 'evt.room.count.success': z.object({ rooms: z.number() }) },
    },
  },
});
const agent = defineAgent({
  name: 'test.hotel',
  services: {
    book: signalService(booking, '1.0.0'),
    asked: signalService(booking, '1.0.0', { approval: 'always' }),
    count: signalService(broken, '1.0.0'),
  },
});

let kit: AgentTestEnvironment;
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents: [agent] });
});
afterAll(() => kit.close());
afterEach(() => kit.model.reset());

async function start(...steps: Parameters<AgentTestEnvironment['model']['script']>): Promise<RunHandle<unknown>> {
  kit.model.script(...steps, text('done'));
  return (await kit.start(agent, { input: 'go' })) as RunHandle<unknown>;
}

test('a call that breaks a rule of the contract is not sent: the model is told, and the others run', async () => {
  const run = await start(calls(['book', { from: 9, to: 4 }], ['book', { from: 4, to: 9 }], ['count', { floor: 1 }]));
  const { services } = await run.waiting({ atLeast: { services: 1 } });
  expect(services).toMatchObject([{ toolUseId: 't1.2', input: { from: 4, to: 9 } }]);
  await kit.client.completeCall(run.id, 't1.2', { data: { room: 7 } });
  expect(await endOf(run)).toBe('done');
  expect(await outcomes(run)).toEqual({
    't1.1': 'InvalidArguments: The arguments do not fit: to: has to be after `from`',
    't1.2': 'Event: evt.room.book.success{"room":7}',
    't1.3': 'InvalidArguments: The arguments do not fit: the check failed: no plan of the house',
  });
  await expectWhole(kit, run);
});

test('no person is asked about such a call, and none can edit another one to be like it', async () => {
  const run = await start(calls(['asked', { from: 9, to: 4 }], ['asked', { from: 4, to: 9 }]));
  const { approvals } = await run.waiting({ atLeast: { approvals: 1 } });
  expect(approvals).toMatchObject([{ toolUseId: 't1.2' }]);
  const [ask] = approvals;
  await expect(run.edit(ask, { by: 'ann', input: { from: 8, to: 3 } })).rejects.toMatchObject({
    type: 'InvalidEdit',
    message: expect.stringContaining('to: has to be after `from`'),
  });
  await run.edit(ask, { by: 'ann', input: { from: 3, to: 8 } });
  const { services } = await run.waiting({ atLeast: { services: 1 } });
  expect(services).toMatchObject([{ toolUseId: 't1.2', input: { from: 3, to: 8 } }]);
  await kit.client.completeCall(run.id, 't1.2', { data: { room: 8 } });
  expect(await endOf(run)).toBe('done');
  await expectWhole(kit, run);
});

test('an answer that breaks a rule of the contract is an error for the model, with or without its type', async () => {
  const run = await start(
    calls(...[1, 2, 3].map((from): [string, { from: number; to: number }] => ['book', { from, to: 9 }])),
  );
  const { services } = await run.waiting({ atLeast: { services: 3 } });
  const [first] = services;
  await kit.client.completeService({
    ...{ specversion: '1.0', id: 'answer', source: 'desk', subject: run.id, type: 'evt.room.book.success' },
    ...{ parentid: first?.ref ?? '', data: { room: 13 } },
  });
  await kit.client.completeCall(run.id, 't1.2', { data: { room: 13 } });
  await kit.client.completeCall(run.id, 't1.3', { data: { until: 13 } });
  expect(await endOf(run)).toBe('done');
  const broken = 'InvalidAnswer: The answer of `book` breaks its contract: room: no such room';
  expect(await outcomes(run)).toEqual({
    't1.1': broken,
    't1.2': broken,
    't1.3': 'Event: evt.room.book.full{"until":13}',
  });
  await expectWhole(kit, run);
});
