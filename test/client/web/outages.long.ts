import { call, fault, text } from 'holdfast/testing';
import type { Page } from 'playwright-core';
import { tabTo } from './stage/keyboard';
import { runPath, type Stage, stageForTests } from './stage/stage';

const AWAY = fault({ kind: 'status', status: 503, message: 'The model is overloaded' });
/** More of them than an outage of this file uses up. */
const AWAY_FOR_LONG = Array.from({ length: 30 }, () => AWAY);

/** The server asks for a wait of an hour, and the run waits from the first failure on. */
const awayForHours = () =>
  fault({ kind: 'status', status: 503, message: 'The model is overloaded', headers: { 'retry-after': '3600' } });

let stage: Stage;
let page: Page;
stageForTests((opened) => {
  stage = opened;
});

const shows = (what: string | RegExp, timeout = 60_000) =>
  page.locator('main').getByText(what).first().waitFor({ timeout });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
/** The live region may still say what the banner said. */
const bannerGoes = () => page.getByRole('region', { name: 'The model gives no answer' }).waitFor({ state: 'detached' });

it('what a run waits for is shown while its model is asked again, with what others said meanwhile, and it stops once', async () => {
  stage.kit.model.script(...AWAY_FOR_LONG);
  const id = await stage.conversation('Hello');
  page = await stage.device(runPath(id));
  await shows(/^asking the model: attempt \d+, .*The model is overloaded/);
  const other = stage.kit.client.get<unknown, 'conversation'>(id);
  await other.steer('Mind the tax', { by: 'bob' });
  await other.send('And then?', { by: 'cleo' });
  await shows('bob. Queued: the agent reads it at its next step.');
  await shows('cleo. Queued: it is answered after this exchange.');
  await page.reload();
  await shows('Mind the tax');
  await shows('And then?');
  stage.kit.model.reset();
  stage.kit.model.script(...AWAY_FOR_LONG);
  await press('Stop');
  await shows('Stopped.');
  await page.getByText('cleo. Queued:').waitFor({ state: 'detached' });
  expect(await page.locator('main').getByText('Stopped.').count()).toBe(1);
  stage.kit.model.reset();
  stage.kit.model.script(text('And that.'));
  await shows('And that.');
  await page.getByText(/^asking the model/).waitFor({ state: 'detached' });
});

it('an agent below whose model is away is named, with why and a way to it, and one press asks its model at once', async () => {
  stage.kit.model.script(call('clerk', {}), awayForHours());
  const id = await stage.conversation('Count them', { agent: 'support.head' });
  page = await stage.device(runPath(id));
  const banner = page.getByRole('region', { name: 'The model gives no answer' });
  await banner
    .getByText(/^The agent support\.clerk is held up\. The model default has given no answer since/)
    .waitFor();
  await banner.getByText(/^It failed with ModelUnavailable: .*The model is overloaded/).waitFor();
  await page.getByText(/holdfast retry/).waitFor({ state: 'detached' });
  await banner.getByRole('link', { name: 'support.clerk' }).click();
  await banner.getByText(/^The model default has given no answer since/).waitFor();
  await page.goBack();
  await banner.getByRole('link', { name: 'support.clerk' }).waitFor();
  stage.kit.model.script(text('Three.'), text('It counted three.'));
  await press('Try now');
  await shows('It counted three.');
  await bannerGoes();
});

it('a call is undone while the model is away, and the page goes on saying so', async () => {
  stage.kit.model.script(call('refund', { amount: 7 }), awayForHours());
  page = await stage.device(runPath(await stage.conversation('Refund it')));
  await press('Approve');
  await page.getByRole('button', { name: 'Try now' }).waitFor();
  await press('More');
  await press('Undo the last effect');
  await shows('Undone: refund: took back 7');
  const row = page.locator('details.call');
  await row.locator('.word').getByText('undone', { exact: true }).waitFor();
  await row.locator('summary').click();
  await row.getByText('undone by ann').waitFor();
  // What was read again after the undo has arrived.
  await page.waitForResponse(/\/waiting$/);
  expect(await page.locator('main').getByText('Undone: refund: took back 7').count()).toBe(1);
});

describe('a model that is away for long', () => {
  /** Its worker tries for a minute before it says so. */
  const SAID = 150_000;

  it('is named with what it answers; one press asks it at once, and the banner goes with the answer', async () => {
    stage.kit.model.script(...AWAY_FOR_LONG);
    page = await stage.device(runPath(await stage.conversation('Hello')));
    await page.getByRole('button', { name: 'Try now' }).waitFor({ timeout: SAID });
    await shows(/^The model default has given no answer since .+\.$/);
    await shows(/Holdfast asks it again at .+, in (\d+ min )?[\d.]+ s\./);
    await shows('waits for the model');
    expect(await page.getByText('The model is overloaded').count()).toBe(1);
    // A second press is not refused.
    await page.getByRole('button', { name: 'Try now' }).dblclick();
    await shows('Holdfast is asking it again now.');
    expect(await page.getByRole('alert').count()).toBe(0);
    stage.kit.model.reset();
    stage.kit.model.script(text('Here I am.'));
    await tabTo(page, 'Try now');
    await page.keyboard.press('Enter');
    await shows('Here I am.');
    await bannerGoes();
    await shows('ready');
  });

  it('is replaced by another model of the agent, where a person wants that', async () => {
    stage.kit.model.script(...AWAY_FOR_LONG);
    const id = await stage.conversation('Hello', { agent: 'support.saver' });
    page = await stage.device(runPath(id));
    await page.getByRole('button', { name: 'Use spare' }).waitFor({ timeout: SAID });
    stage.kit.model.reset();
    stage.kit.model.script(text('I am the spare.'));
    await press('Use spare');
    await shows('I am the spare.');
    await bannerGoes();
  });

  it('is asked again by itself', async () => {
    stage.kit.model.script(...AWAY_FOR_LONG);
    page = await stage.device(runPath(await stage.conversation('Hello')));
    await page.getByRole('button', { name: 'Try now' }).waitFor({ timeout: SAID });
    stage.kit.model.reset();
    stage.kit.model.script(text('Back by myself.'));
    await shows('Back by myself.', SAID);
    await bannerGoes();
  });
});
