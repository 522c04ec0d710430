import type { ChatRequest } from '../../kit/model-reply';
import { call, calls, text } from '../../kit/scripted-model';
import type { Turn } from '../stage/run-scripts';
import { Stage } from '../stage/stage';
import type { WorkerChild } from '../stage/worker-child';

const replies = [
  calls(['look', { item: 'one' }], ['put', { item: 'one' }]),
  call('pay', { item: 'two' }, { text: 'Paying.' }),
  calls(['nothing', {}], ['look', { item: 'x'.repeat(40_000) }]),
  call('put', { item: 'four' }, { reasoning: 'To think about it.' }),
  text('done'),
];

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

it('sends the same transcripts from a new worker for each turn as from one with a cache', async () => {
  let worker = await stage.worker({ grace: 10_000 });
  const undisturbed = await stage.start('undisturbed', ...replies);
  expect((await undisturbed.result()).data).toBe('done');

  const pids: number[] = [];
  const turns = replies.map(
    (reply): Turn =>
      async () => {
        // This turn's call ends on the old worker, which takes nothing more; a new one continues from there.
        pids.push(worker.pid);
        next = restarted(worker);
        await worker.stopping();
        return reply;
      },
  );
  let next: Promise<WorkerChild> | undefined;
  async function restarted(old: WorkerChild): Promise<WorkerChild> {
    old.terminate();
    await old.end();
    return stage.worker({ grace: 10_000 });
  }
  const disturbed = await stage.start('disturbed', ...turns);
  for (let turn = 1; turn <= replies.length; turn++) {
    await stage.model.arrival('disturbed', turn);
    worker = (await next) as WorkerChild;
  }
  expect((await disturbed.result()).data).toBe('done');
  expect(new Set(pids).size).toBe(replies.length);
  await stage.checked(disturbed);

  const sent = (run: string) => stage.model.requests(run).map(({ recorded }) => withoutIds(recorded.body, run));
  expect(sent('disturbed')).toEqual(sent('undisturbed'));
  expect(sent('disturbed').map(({ messages }) => messages.length)).toEqual([2, 5, 7, 10, 12]);
});

/** Run and request numbers are in names and in the provider's ids; everything else must be the same. */
function withoutIds(body: ChatRequest, run: string): ChatRequest {
  return JSON.parse(
    JSON.stringify(body)
      .replaceAll(run, 'RUN')
      .replaceAll(/call_\d+_/g, 'call_N_'),
  ) as ChatRequest;
}
