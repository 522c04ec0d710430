import { defineAgent } from 'holdfast';
import { text } from 'holdfast/testing';
import { factsOf } from '../facts';
import { talkProblems } from './check-talk';
import { Decider } from './decider';

const chat = defineAgent({ name: 'test.chat', mode: 'conversation' });
/** It is chance whether the worker gets the query or the task first. */
const ROUNDS = 3;
const READERS = 8;

let decider: Decider;
beforeAll(async () => {
  decider = await Decider.open({ agents: [chat], server: 'dev' }, 100);
});
afterAll(() => decider.close());

test('a worker that gets a query about a run before it takes over the run does nothing ahead of its time', async () => {
  const { kit } = decider;
  for (let round = 0; round < ROUNDS; round++) {
    kit.model.reset();
    kit.model.script(...['a', 'b', 'c', 'd'].map((answer) => text(answer)));
    const run = await kit.start(chat, { input: null });
    await run.answerTo(await run.send('1'));
    await decider.atOnce(async (told) => {
      for (let i = 0; i < READERS; i++) await told(() => run.state());
      await run.workflow.signal('send', { text: '2' });
      await told(() => run.send('3'));
      await told(() => run.send('4'));
    });
    await run.close();
    expect(await run.result()).toMatchObject({ exchanges: 4 });
    const facts = await factsOf(run);
    expect(talkProblems(facts, await run.transcript())).toEqual([]);
    await kit.replay(run);
    await decider.stop();
    await decider.start();
    expect(await factsOf(run)).toEqual(facts);
  }
});
