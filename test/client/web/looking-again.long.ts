import { text } from 'holdfast/testing';
import type { Page } from 'playwright-core';
import { type FlowingAnswer, flowingAnswer } from '../../flowing-answer';
import { until } from '../../until';
import { say } from './stage/keyboard';
import { runPath, type Stage, stageForTests } from './stage/stage';

const WORDS = Array.from({ length: 80 }, (_, i) => `word${i}`);
/** An answer that takes a few seconds. */
const COUNTING = text(WORDS.join(' '), { chunkDelay: 60, chunkSize: 8 });

let stage: Stage;
stageForTests((opened) => {
  stage = opened;
});

/** Lets an answer end: the newest message says each of its words once. */
async function expectEachWordOnce(page: Page, answer: FlowingAnswer): Promise<void> {
  answer.end();
  const words = answer.said().trim().split(' ');
  const shown = async () => {
    const texts = await page.locator('.message.assistant').last().locator('.markdown').allInnerTexts();
    return texts.join(' ').trim().split(/\s+/);
  };
  await until(async () => (await shown()).includes(words.at(-1) ?? ''), 'the last word');
  expect(await shown()).toEqual(words);
  expect(await page.locator('.message.user').count()).toBe(1);
}

const shows = (page: Page, what: string) => page.getByText(what).first().waitFor();

describe('a person who looks again sees each word once', () => {
  it('after a reload in mid-answer', async () => {
    const count = flowingAnswer();
    stage.kit.model.script(count.step);
    const page = await stage.device(runPath(await stage.conversation('Count')));
    await shows(page, 'word20');
    await page.reload();
    await shows(page, 'word20');
    await expectEachWordOnce(page, count);
  });

  it('on a second device, which goes on while the first is closed', async () => {
    const count = flowingAnswer();
    stage.kit.model.script(count.step);
    const id = await stage.conversation('Count');
    const laptop = await stage.device(runPath(id));
    await shows(laptop, 'word10');
    const phone = await stage.device(runPath(id), { viewport: { width: 390, height: 800 } });
    await shows(phone, 'word10');
    await laptop.close();
    await expectEachWordOnce(phone, count);
  });

  it('after the network was away in mid-answer', async () => {
    const count = flowingAnswer();
    stage.kit.model.script(count.step);
    const page = await stage.device(runPath(await stage.conversation('Count')));
    await shows(page, 'word10');
    await page.context().setOffline(true);
    await shows(page, 'No connection to the server.');
    await page.context().setOffline(false);
    await page.getByText('No connection to the server.').waitFor({ state: 'detached' });
    await expectEachWordOnce(page, count);
  });

  it('after the server was deployed again in mid-answer', async () => {
    const count = flowingAnswer();
    stage.kit.model.script(count.step);
    const page = await stage.device(runPath(await stage.conversation('Count')));
    await shows(page, 'word10');
    await stage.stopServing();
    await shows(page, 'No connection to the server.');
    // It is not taken for a whole one.
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    expect(await page.locator('.unseen').textContent()).not.toContain('Answer:');
    await stage.serveAgain();
    await expectEachWordOnce(page, count);
  });

  it('of the exchange that begins while the page is opened, and what became of the one before', async () => {
    const next = flowingAnswer('next');
    stage.kit.model.script(flowingAnswer().step, next.step);
    const id = await stage.conversation('Talk');
    const page = await stage.device(runPath(id));
    await shows(page, 'word2');
    const other = stage.kit.client.get<unknown, 'conversation'>(id);
    await other.send('And then?');
    // The messages are read before that, and the stream after it.
    await page.route('**/chat/*/stream', async (route) => {
      await page.unroute('**/chat/*/stream');
      await other.interrupt();
      await route.continue();
    });
    let tell = () => {};
    await page.route('**/events*', async (route) => {
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
      await route.continue();
    });
    await page.reload();
    await shows(page, 'next2');
    tell();
    await shows(page, 'Stopped.');
    await page.locator('main').getByText('And then?', { exact: true }).first().waitFor();
    expect(await page.locator('main').getByText('And then?', { exact: true }).count()).toBe(1);
    next.end();
    await page.getByText('ready', { exact: true }).first().waitFor();
  });

  it('of a message that was sent while the server was away', async () => {
    stage.kit.model.script(text('Ready.'), COUNTING);
    const page = await stage.device(runPath(await stage.conversation('Hello')));
    await shows(page, 'Ready.');
    await stage.stopServing();
    await say(page, 'Count');
    await shows(page, 'No connection to the server.');
    await stage.serveAgain();
    await shows(page, 'word79');
    expect(await page.getByText('Count', { exact: true }).count()).toBe(1);
    expect(stage.kit.model.requests).toHaveLength(2);
  });

  it('of a message that was sent while the worker was away', async () => {
    stage.kit.model.script(text('Ready.'), COUNTING);
    const page = await stage.device(runPath(await stage.conversation('Hello')));
    await shows(page, 'Ready.');
    let refusals = 3;
    await page.route('**/chat', (route) =>
      route.request().method() === 'POST' && refusals-- > 0
        ? route.fulfill({ status: 503, json: { error: { type: 'NoWorker', message: 'The worker is away.' } } })
        : route.continue(),
    );
    await say(page, 'Count');
    await shows(page, 'The worker is away.');
    await shows(page, 'word79');
    expect(await page.getByText('Count', { exact: true }).count()).toBe(1);
    expect(await page.getByText('The worker is away.').count()).toBe(0);
    expect(stage.kit.model.requests).toHaveLength(2);
  });
});
