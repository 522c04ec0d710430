import { call, text } from 'holdfast/testing';
import type { Fact } from '../../agent/protocol/facts/fact';
import { nudge } from '../../cli/runs/session';
import { projectAt } from '../cli/project';
import { said } from '../cli/said';
import { until } from '../until';
import { TwoBuilds } from './two-builds';

let builds: TwoBuilds;
beforeEach(async () => {
  builds = await TwoBuilds.start();
});
afterEach(() => builds.close());

/** The numbers of facts, without a gap. */
const counted = (facts: readonly Fact[]) => facts.map((_, i) => i + 1);

const continuedIn = (facts: readonly Fact[]) => facts.filter(({ type }) => type === 'run.continued');

test('a conversation that is pinned to a build goes on under the next build with its next message', async () => {
  await builds.deploy('1', 'pinned');
  const chat = await builds.talking('pinned');
  expect([builds.ranOn, await builds.buildOf('pinned')]).toEqual(['ran on 1', '1']);

  await builds.deploy('2', 'pinned');
  expect(await builds.buildOf('pinned')).toBe('1');
  builds.model.script(call('build'), text('two'));
  expect(await chat.answerTo(await chat.send('again'))).toMatchObject({ data: 'two' });
  expect([builds.ranOn, await builds.buildOf('pinned')]).toEqual(['ran on 2', '2']);

  builds.model.script(text('three'));
  await chat.answerTo(await chat.send('once more'));
  const facts = await builds.factsToTheEnd('pinned');
  expect(continuedIn(facts)).toMatchObject([{ number: 1, why: 'deployment' }]);
  expect(facts.map(({ seq }) => seq)).toEqual(counted(facts));
});

test('a nudge moves a conversation that waits for a message or for a person', async () => {
  await builds.deploy('1', 'pinned');
  await builds.talking('idle');
  const waiting = await builds.talking('approval');
  builds.model.script(call('confirm'));
  const asked = await waiting.send('confirm it');
  await waiting.waiting({ atLeast: { approvals: 1 } });

  await builds.deploy('2', 'pinned');
  const project = projectAt(builds.place);
  for (const id of ['idle', 'approval']) {
    const told = await said(() => nudge(id, { config: project.config }));
    expect(told).toMatchObject({ code: 0, out: `${id} goes on in a new history as soon as it can\n` });
    await until(async () => (await builds.buildOf(id)) === '2', `${id} to be on build 2`);
  }
  project.remove();
  // No run needs the old build now.
  await builds.retire('1');
  builds.model.script(text('done'));
  const { approvals } = await waiting.waiting();
  for (const approval of approvals) await waiting.approve(approval, { by: 'ann' });
  await waiting.answerTo(asked);
  expect(builds.ranOn).toBe('confirmed on 2');
  builds.model.script(call('build'), text('two'));
  const idle = builds.desk('idle');
  await idle.answerTo(await idle.send('again'));
  expect(builds.ranOn).toBe('ran on 2');
});
