import { type Agent, defineAgent, eventService, type ServiceEvent, signalService } from 'holdfast';
import type { RunHandle } from 'holdfast/client';
import { type AgentTestEnvironment, call, calls, createAgentTestEnvironment, text } from 'holdfast/testing';
import type { FunctionOutlet } from '../../../agent/define/outlet';
import { newGate } from '../../gate';
import { answerTo, endOf, expectWhole, outcomes, plain } from '../../services/stage';
import { until } from '../../until';

const sent: ServiceEvent[] = [];
const outlets: { [name: string]: FunctionOutlet } = {
  post: (event) => void sent.push(event),
  gone: () => undefined,
};
const agents: Agent[] = [
  defineAgent({
    name: 'test.restart',
    services: {
      ask: signalService(plain, '1.0.0'),
      post: eventService(plain, '1.0.0', { outlet: 'post' }),
      gone: eventService(plain, '1.0.0', { outlet: 'gone' }),
    },
    limits: { maxResultChars: 2_000_000 },
  }),
];

let kit: AgentTestEnvironment;
// A real server: the other one queries a worker that has gone.
beforeAll(async () => {
  kit = await createAgentTestEnvironment({ agents, outlets, server: 'dev' });
});
afterAll(() => kit.close());
afterEach(() => {
  kit.model.reset();
  sent.length = 0;
});

const start = () => kit.start('test.restart', { input: 'go' }) as Promise<RunHandle<unknown>>;

test('the answers of twenty services are awaited across a restart of the worker', async () => {
  const asked = Array.from({ length: 20 }, (_, i): [string, { sku: string }] => [
    i % 2 ? 'post' : 'ask',
    { sku: `${i}` },
  ]);
  kit.model.script(calls(...asked), text('done'));
  const run = await start();
  await run.waiting({ atLeast: { services: 20 } });
  await until(() => sent.length === 10, 'the events');
  const answer = async (nth: number) => {
    const data = { left: nth };
    if (nth % 2) return kit.client.completeCall(run.id, `t1.${nth}`, { data });
    const event = sent.find(({ id }) => id.endsWith(`/t1.${nth}`)) as ServiceEvent;
    return kit.client.completeService(answerTo(event, { data }));
  };
  for (let nth = 1; nth <= 5; nth++) await answer(nth);
  await kit.stopWorker();
  for (let nth = 6; nth <= 15; nth++) await answer(nth);
  await kit.startWorker();
  expect((await run.waiting()).services).toHaveLength(5);
  for (let nth = 16; nth <= 20; nth++) await answer(nth);
  expect(await endOf(run)).toBe('done');
  const expected = Array.from({ length: 20 }, (_, i) => [`t1.${i + 1}`, `{"left":${i + 1}}`]);
  expect(await outcomes(run)).toEqual(Object.fromEntries(expected));
  expect(sent).toHaveLength(10);
  await expectWhole(kit, run);
});

test('large answers that arrive without a worker are taken by one that does not know the run', async () => {
  const large = 900_000;
  kit.model.script(
    calls(...Array.from({ length: 6 }, (_, i): [string, { sku: string }] => ['ask', { sku: `${i}` }])),
    text('done'),
  );
  const run = await start();
  await run.waiting({ atLeast: { services: 6 } });
  await kit.stopWorker();
  for (let nth = 1; nth <= 6; nth++) {
    await kit.client.completeCall(run.id, `t1.${nth}`, { data: { left: nth, text: 'x'.repeat(large) } });
  }
  await kit.startWorker();
  expect(await endOf(run)).toBe('done');
  const told = Object.values(await outcomes(run));
  expect(told.map((one) => one.slice(0, 10)).sort()).toEqual(
    [1, 2, 3, 4, 5, 6].map((nth) => `{"left":${nth},`.slice(0, 10)),
  );
  await kit.replay(run);
});

test('an outlet that the worker no longer has is an error which says so', async () => {
  const { open: release, opened: held } = newGate();
  const answer = async () => {
    await held;
    return call('gone', { sku: 'a' });
  };
  // Whichever worker asks has to wait until the other one has started.
  kit.model.script(answer, answer, text('done'));
  const run = await start();
  await kit.model.request(1);
  await kit.stopWorker();
  agents[0] = defineAgent({ name: 'test.restart' });
  delete outlets.gone;
  await kit.startWorker();
  release();
  expect(await endOf(run)).toBe('done');
  expect((await outcomes(run))['t1.1']).toMatch(/^OutletFailed: .*No outlet is called `gone`; known are `post`/);
  await expectWhole(kit, run);
});
