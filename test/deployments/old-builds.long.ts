import { call, text } from 'holdfast/testing';
import type { Fact } from '../../agent/protocol/facts/fact';
import { until } from '../until';
import { TwoBuilds } from './two-builds';

let builds: TwoBuilds;
beforeEach(async () => {
  builds = await TwoBuilds.start();
});
afterEach(() => builds.close());

const continuedIn = (facts: readonly Fact[]) => facts.filter(({ type }) => type === 'run.continued');

test('an auto-upgraded conversation goes on under the next build in the same history', async () => {
  await builds.deploy('1', 'auto-upgrade');
  const chat = await builds.talking('upgraded');
  await builds.deploy('2', 'auto-upgrade');
  builds.model.script(call('build'), text('two'));
  await chat.answerTo(await chat.send('again'));
  expect([builds.ranOn, await builds.buildOf('upgraded')]).toEqual(['ran on 2', '2']);
  expect(continuedIn(await builds.factsToTheEnd('upgraded'))).toEqual([]);
});

test('without workers of the old build, all of a moved conversation can be read', async () => {
  await builds.deploy('1', 'pinned');
  const chat = await builds.talking('read');
  await builds.deploy('2', 'pinned');
  builds.model.script(text('two'));
  await chat.answerTo(await chat.send('again'));
  await builds.retire('1');
  const messages = await chat.transcript();
  // A short transcript is carried whole.
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
  const facts = await builds.factsToTheEnd('read');
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, i) => i + 1));
  expect(continuedIn(facts)).toHaveLength(1);
  expect(facts.some(({ type }) => type === 'facts.missing')).toBe(false);
  expect(facts.at(-1)?.type).toBe('loop.end');
});

test('a reader that was on the old build when its workers ended goes on with the facts of the new one', async () => {
  await builds.deploy('1', 'pinned');
  const chat = await builds.talking('followed');
  const facts = chat.facts()[Symbol.asyncIterator]();
  const next = async () => ((await facts.next()).value as Fact).type;
  while ((await next()) !== 'exchange.end');
  const before = (await chat.workflow.describe()).runId;
  await builds.deploy('2', 'pinned');
  await chat.continueAsNew();
  await until(async () => (await chat.workflow.describe()).runId !== before, 'the new history');
  await builds.retire('1');
  expect(await next()).toBe('run.continued');
  builds.model.script(text('two'));
  await chat.send('again');
  expect(await next()).toBe('message.received');
  await facts.return?.(undefined);
});

test('a message to a conversation whose build has no worker says which build it needs', async () => {
  await builds.deploy('1', 'pinned');
  const chat = await builds.talking('alone');
  await builds.deploy('2', 'pinned');
  await builds.retire('1');
  await expect(chat.send('anyone?')).rejects.toMatchObject({
    type: 'NoWorker',
    data: { build: { deployment: 'desk', buildId: '1' } },
  });
});
