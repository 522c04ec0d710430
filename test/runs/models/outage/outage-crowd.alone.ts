import { defineAgent } from 'holdfast';
import { createAgentTestEnvironment, text } from 'holdfast/testing';
import { closeAfterTest } from '../../../close-after-test';
import { serveModel } from '../../../kit/model-server';
import { until } from '../../../until';

const plain = defineAgent({ name: 'crowd.plain', model: 'flaky' });
const RUNS = 50;

// In real time: the server that skips it does not survive so many activities that fail at once.
test('50 runs in an outage make few requests, and all of them go on when it is over', async () => {
  let requests = 0;
  let isDown = true;
  const server = closeAfterTest(
    await serveModel(async () => {
      requests++;
      return isDown ? { fault: { kind: 'status', status: 503 } } : text('Back.');
    }),
  );
  const models = { flaky: { baseUrl: server.url, model: 'flaky' } };
  const kit = closeAfterTest(await createAgentTestEnvironment({ agents: [plain], models, server: 'dev' }));
  const start = (count: number) => Promise.all(Array.from({ length: count }, () => kit.start(plain, { input: 'go' })));
  // Five failures in a row open the circuit.
  const first = await start(5);
  await until(() => requests >= 5, 'the first failures');
  const runs = [...first, ...(await start(RUNS - 5))];
  const asked = async () => (await Promise.all(runs.map((run) => run.state()))).every(({ turn }) => turn === 1);
  await until(asked, 'all runs to ask their model');
  expect(requests).toBeLessThanOrEqual(10);
  isDown = false;
  const before = requests;
  const results = await Promise.all(runs.map((run) => run.result()));
  expect(results.map(({ data }) => data)).toEqual(Array(RUNS).fill('Back.'));
  expect(requests - before).toBeLessThanOrEqual(RUNS + 5);
});
