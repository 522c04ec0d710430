import { call, calls, text } from 'holdfast/testing';
import { until } from '../../until';
import { runPath, type Stage, stageForTests } from './stage/stage';

let stage: Stage;
stageForTests((opened) => {
  stage = opened;
});

it('the list of runs shows at once what the page sees in the open run, without waiting for its next look', async () => {
  stage.kit.model.script(text('Hi.'), call('refund', { amount: 5 }));
  const id = await stage.conversation('Hello');
  const page = await stage.device(runPath(id));
  const status = page.locator('.sessions .status');
  const shown = (word: string) => until(async () => (await status.first().innerText()) === word, word);
  await shown('ready');
  // From the next looks on, the page's clock stands still, and with it further looks.
  await page.clock.install();
  const looks = [page.waitForResponse(/\/v1\/runs\?/), page.waitForResponse(/\/waiting$/)];
  await page.clock.pauseAt(Date.now() + 1000);
  await Promise.all(looks);

  const seen = page.waitForRequest(/\/waiting$/);
  await stage.kit.conversation('support.desk', { id }).send('Refund 5');
  await seen;
  const listed = async () => (await stage.kit.client.sessions()).find((session) => session.id === id)?.waits;
  await until(async () => (await listed()) === 'approval', 'the approval in the index');
  // Less than until the next look.
  await page.clock.runFor(2000);
  await shown('needs approval');
});

it('the badge of the inbox counts what the inbox lists, and not the runs that wait', async () => {
  stage.kit.model.script(calls(['refund', { amount: 5 }], ['refund', { amount: 6 }]));
  await stage.conversation('Refund twice');
  const page = await stage.device('/');
  const badge = page.locator('.badge');
  const count = () => page.locator('.badge').innerText();
  await badge.waitFor();
  const waiting = async () => {
    const { approvals, questions } = await stage.kit.client.waiting();
    return String(approvals.length + questions.length);
  };
  await until(async () => (await count()) === (await waiting()), 'the badge to count calls');
  await page.locator('a', { hasText: 'Inbox' }).click();
  await page.locator('[data-card]').first().waitFor();
  await until(async () => (await page.locator('[data-card]').count()) === Number(await count()), 'as many cards');
});
