import { Stage } from '../durability/stage/stage';
import { call, text } from '../kit/scripted-model';
import { until } from '../until';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

test('a rejected promise that a tool leaves unhandled ends no worker, not its own run, and no other run', async () => {
  const worker = await stage.worker();
  const innocent = await stage.start('innocent', call('pay', { item: 'a', mode: 'wait' }), text('paid'));
  await stage.started('innocent', 'pay');
  const careless = await stage.start('careless', call('look', { item: 'b', mode: 'careless' }), text('looked'));
  expect(await careless.result()).toMatchObject({ data: 'looked' });
  await until(() => worker.output.includes('unhandled on purpose'), 'the log of the worker');
  stage.release('innocent');
  expect(await innocent.result()).toMatchObject({ data: 'paid' });
  expect(stage.lines('innocent', 'start')).toHaveLength(1);
});
