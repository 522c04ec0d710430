import { factsOf } from '../../facts';
import { chat, OutageStage } from '../../runs/models/outage/outage-stage';
import { endOf, expectWhole } from '../../services/stage';
import { until } from '../../until';
import { newest } from '../move';

let stage: OutageStage;
beforeAll(async () => {
  stage = await OutageStage.open();
});
afterAll(() => stage.close());

test('a run that waits for its provider moves when the provider is back', async () => {
  stage.down = { status: 503 };
  const run = await stage.kit.start(chat, { input: 'go' });
  await until(async () => {
    await stage.kit.skip('10s');
    return (await run.state()).outage?.nextAt !== undefined;
  }, 'the outage');
  const before = await newest(run);
  const { outage } = await run.state();
  await run.continueAsNew();
  await stage.kit.skip('3s');
  expect(await newest(run)).toBe(before);
  expect((await run.state()).outage?.since).toBe(outage?.since);
  stage.down = undefined;
  await until(async () => {
    await stage.kit.skip('1m');
    return (await newest(run)) !== before;
  }, 'the move');
  expect(await run.state()).toMatchObject({ idle: true, turn: 1 });
  await run.workflow.executeUpdate('close', { args: [{}] });
  expect(await endOf(run)).toBe('Back.');
  expect(await factsOf(run, 'run.continued')).toMatchObject([{ number: 1, why: 'asked' }]);
  await expectWhole(stage.kit, run);
});
