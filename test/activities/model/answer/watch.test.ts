import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AnswerWatch } from '../../../../activities/model/answer/watch';
import { closeAfterTest } from '../../../close-after-test';
import { until } from '../../../until';

/** A watch over a silence of 100 ms. */
function watching() {
  const watch = new AnswerWatch({ silence: 100, time: 60_000 }, () => {});
  closeAfterTest({ close: async () => watch.stop() });
  return watch;
}

/** A thread that sends a chunk every 20 ms, however busy this one is. */
async function chunks() {
  const send = "setInterval(() => require('node:worker_threads').parentPort.postMessage(''), 20)";
  const thread = new Worker(send, { eval: true });
  closeAfterTest({ close: () => thread.terminate() });
  await once(thread, 'message');
  return thread;
}

function block(ms: number) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('what has arrived while the process was too busy to read it is not taken for silence', async () => {
  const thread = await chunks();
  const watch = watching();
  let heard = 0;
  thread.on('message', () => {
    heard++;
    watch.touch();
  });
  await until(() => heard > 0, 'a chunk');
  block(400);
  const before = heard;
  await until(() => heard > before, 'the chunks of the busy time');
  expect(watch.ended).toBeUndefined();
  await thread.terminate();
  await until(() => watch.ended === 'silence', 'the silence');
});

test('a silence in which the process was busy ends soon after', async () => {
  const watch = watching();
  block(300);
  expect(watch.ended).toBeUndefined();
  await until(() => watch.ended === 'silence', 'the silence');
});
