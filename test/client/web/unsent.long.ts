import { text } from 'holdfast/testing';
import type { Page, Route } from 'playwright-core';
import { type FlowingAnswer, flowingAnswer } from '../../flowing-answer';
import { until } from '../../until';
import { say } from './stage/keyboard';
import { runPath, type Stage, stageForTests } from './stage/stage';

let stage: Stage;
let page: Page;
let talk: FlowingAnswer;
let id: string;
stageForTests((opened) => {
  stage = opened;
});

const shows = (what: string) => page.locator('main').getByText(what).first().waitFor({ timeout: 60_000 });
const composer = () => page.getByLabel(/^Message/);

/** Opens a conversation whose agent is in the middle of an answer. */
async function agentThatTalks(): Promise<void> {
  talk = flowingAnswer();
  stage.kit.model.script(talk.step, text('In French: bonjour.'));
  id = await stage.conversation('Talk');
  page = await stage.device(runPath(id));
  await shows('word2');
}

/** Requests to this path do not arrive, and are lost, until the result is called: others then do, or get its answer. */
async function hold(path: string): Promise<(answer?: { status: number; json: unknown }) => void> {
  let release: ((route: Route) => Promise<void>) | undefined;
  await page.route(path, (route) => release?.(route));
  return (answer) => {
    release = (route) => (answer === undefined ? route.continue() : route.fulfill(answer));
  };
}

/** How often the model was told something, as its last request says. */
const told = (what: string) => JSON.stringify(stage.kit.model.requests.at(-1)?.body.messages).split(what).length - 1;

describe('a message on its way to the server', () => {
  it('says so, and outlives a reload: an agent that works gets it once', async () => {
    await agentThatTalks();
    const release = await hold('**/steer');
    await say(page, 'In French please');
    await shows('Sending …');
    release();
    await page.reload();
    await shows('Queued: the agent reads it at its next step.');
    talk.end();
    await shows('In French: bonjour.');
    expect(await page.getByText('In French please').count()).toBe(1);
    expect(told('In French please')).toBe(1);
  });

  it('is sent again after the way to the server broke, and taken once', async () => {
    await agentThatTalks();
    let tries = 0;
    await page.route('**/steer', async (route: Route) => {
      // The second arrives, but its answer does not.
      if (++tries === 2) await route.fetch();
      if (tries > 2) await route.continue();
      else await route.abort();
    });
    await say(page, 'In French please');
    await shows('Queued: the agent reads it at its next step.');
    expect(tries).toBe(3);
    expect(await composer().inputValue()).toBe('');
    talk.end();
    await shows('In French: bonjour.');
    expect(told('In French please')).toBe(1);
  });

  it('goes back to the input where the server refuses it after a reload', async () => {
    await agentThatTalks();
    const release = await hold('**/steer');
    await say(page, 'In French please');
    await say(page, 'Or Spanish');
    await page.getByText('Sending …').nth(1).waitFor();
    release({ status: 400, json: { error: { type: 'InvalidMessage', message: 'No French here.' } } });
    await page.reload();
    await shows('No French here.');
    await until(
      async () => (await composer().inputValue()) === 'In French please\nOr Spanish',
      'both texts to come back',
    );
    talk.end();
    await page.reload();
    await page.waitForFunction(() => document.querySelector('.composer textarea:not(:disabled)') !== null);
    expect(await page.getByText('In French please').count()).toBe(0);
  });

  it('begins its exchange after a reload', async () => {
    stage.kit.model.script(text('Good morning.'), text('Here it is.'));
    id = await stage.conversation('Hello');
    page = await stage.device(runPath(id));
    await shows('Good morning.');
    const release = await hold('**/chat');
    await say(page, 'Paint a cat');
    await shows('Paint a cat');
    release();
    await page.reload();
    await shows('Here it is.');
    expect(await page.locator('main').getByText('Paint a cat').count()).toBe(1);
    expect(told('Paint a cat')).toBe(1);
    expect(stage.kit.model.requests).toHaveLength(2);
  });
});
