import { call, text } from 'holdfast/testing';
import type { Page } from 'playwright-core';
import { flowingAnswer } from '../../flowing-answer';
import { until } from '../../until';
import { say, tabTo } from './stage/keyboard';
import { runPath, type Stage, stageForTests } from './stage/stage';

let stage: Stage;
let page: Page;
stageForTests((opened) => {
  stage = opened;
});

const shows = (what: string) => page.getByText(what).first().waitFor();

/** Opens a conversation in which the model has asked for a refund. */
async function refundAsked(): Promise<string> {
  stage.kit.model.script(call('refund', { amount: 5 }), text('All done.'));
  const id = await stage.conversation('Refund 5');
  page = await stage.device(runPath(id));
  await page.locator('.card').waitFor();
  return id;
}

/** The arguments that the tool ran with, as the model read its result. */
async function resultRead(): Promise<string> {
  const { body } = await stage.kit.model.request(2);
  return JSON.stringify(body.messages.at(-1)?.content);
}

describe('by keyboard alone, a person can', () => {
  it('send a message', async () => {
    stage.kit.model.script(text('Hello Ann.'), text('Hello again.'));
    page = await stage.device();
    await page.locator('.agent').first().waitFor();
    await tabTo(page, /^support\.desk/);
    await page.keyboard.press('Enter');
    await tabTo(page, 'First message');
    await page.keyboard.type('Hi');
    await page.keyboard.press('Enter');
    await shows('Hello Ann.');
    await say(page, 'Hi again');
    await shows('Hello again.');
  });

  it('give a task', async () => {
    stage.kit.model.script(text('{"queue":"billing"}'));
    page = await stage.device('/new/support.triage');
    await page.locator('.field').first().waitFor();
    await tabTo(page, 'mail');
    await page.keyboard.type('Charged twice');
    await tabTo(page, 'Start');
    await page.keyboard.press('Enter');
    await shows('"queue": "billing"');
    await shows('"mail": "Charged twice"');
    await page.getByText('completed', { exact: true }).first().waitFor();
  });

  it('stop an answer', async () => {
    stage.kit.model.script(flowingAnswer().step);
    page = await stage.device(runPath(await stage.conversation('Talk')));
    await shows('word2');
    await tabTo(page, 'Stop');
    await page.keyboard.press('Enter');
    await page.getByText('ready', { exact: true }).first().waitFor();
    await page.locator('.message-foot, .message .hint').first().waitFor();
  });

  it('stop an answer that another device stops in the same moment', async () => {
    stage.kit.model.script(flowingAnswer().step);
    const id = await stage.conversation('Talk');
    page = await stage.device(runPath(id));
    await shows('word2');
    let refused: unknown;
    await page.route('**/interrupt', async (route) => {
      await stage.kit.client.get<unknown, 'conversation'>(id).interrupt();
      const response = await route.fetch();
      // Read here: a browser may have dropped the body of a response that the page has read.
      refused = await response.json();
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Stop' }).click();
    await until(() => refused !== undefined, 'the answer to the second stop');
    expect(refused).toMatchObject({ error: { type: 'NothingToInterrupt' } });
    await shows('Stopped.');
    expect(await page.getByText('is not answering anything').count()).toBe(0);
  });

  it('steer an answer', async () => {
    stage.kit.model.script(flowingAnswer().step, text('In French: bonjour.'));
    page = await stage.device(runPath(await stage.conversation('Talk')));
    await shows('word2');
    await say(page, 'In French please', 'Control+Enter');
    await shows('In French: bonjour.');
    const { body } = await stage.kit.model.request(2);
    expect(JSON.stringify(body.messages)).toContain('In French please');
  });

  it('approve a call', async () => {
    await refundAsked();
    await tabTo(page, 'Approve');
    await page.keyboard.press('Enter');
    await shows('All done.');
    expect(await resultRead()).toContain('refunded 5');
  });

  it('edit a call and approve it', async () => {
    await refundAsked();
    await tabTo(page, 'Edit …');
    await page.keyboard.press('Enter');
    await tabTo(page, 'amount');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('much');
    await tabTo(page, 'Approve as edited');
    await page.keyboard.press('Enter');
    await shows('Expected a number.');
    await tabTo(page, 'amount', 'Shift+Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('3');
    await tabTo(page, 'Approve as edited');
    await page.keyboard.press('Enter');
    await shows('All done.');
    expect(await resultRead()).toContain('refunded 3');
  });

  it('deny a call with a reason', async () => {
    await refundAsked();
    await tabTo(page, 'Deny …');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Too much');
    await page.keyboard.press('Enter');
    await shows('All done.');
    expect(await resultRead()).toContain('Too much');
  });

  it('answer a question', async () => {
    const question = { question: 'Which color?', suggestions: ['red', 'blue'] };
    stage.kit.model.script(call('ask_question', question), text('Blue it is.'));
    page = await stage.device(runPath(await stage.conversation('Paint')));
    await page.locator('.card.question').waitFor();
    await tabTo(page, 'blue');
    await page.keyboard.press('Enter');
    await shows('Blue it is.');
    expect(await resultRead()).toContain('blue');
  });

  it('undo an effect', async () => {
    await refundAsked();
    await tabTo(page, 'Approve');
    await page.keyboard.press('Enter');
    await shows('All done.');
    await tabTo(page, 'More', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.locator('.menu-item:not(:disabled)', { hasText: 'Undo the last effect' }).waitFor();
    await tabTo(page, 'Undo the last effect');
    await page.keyboard.press('Enter');
    await shows('took back 5');
  });

  it('find a waiting run in the inbox', async () => {
    const id = await refundAsked();
    await page.goto(stage.url);
    await page.locator('.badge').waitFor();
    await tabTo(page, /^Inbox/);
    await page.keyboard.press('Enter');
    await page.locator(`[data-run="${id}"]`).waitFor();
    const at = () => page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.run);
    await until(async () => {
      if ((await at()) === id) return true;
      await page.keyboard.press('j');
      return false;
    }, 'the card of the run');
    await page.keyboard.press('o');
    await page.waitForURL(`**${runPath(id)}`);
    await page.locator('.card').waitFor();
  });

  it('open a timeline', async () => {
    const id = await refundAsked();
    await tabTo(page, 'Timeline');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${runPath(id, '/timeline')}`);
    await shows('approval of refund');
    await tabTo(page, /facts$/);
    await page.keyboard.press('Enter');
    await shows('approval.requested');
  });
});

test('the inbox says that a run waits whose worker does not answer', async () => {
  const { workflow } = stage.kit.client.temporal;
  const silent = await workflow.start('support.desk', {
    workflowId: 'silent',
    taskQueue: 'without-workers',
    searchAttributes: { HoldfastAgent: ['support.desk'], HoldfastAwaiting: ['approval'] },
  });
  try {
    const page = await stage.device('/inbox');
    const told = page.getByText('One run that waits did not answer: is its worker running?');
    await told.waitFor({ timeout: 60_000 });
    expect(await page.getByText('Nothing waits for you.').count()).toBe(0);
    await page.context().close();
  } finally {
    await silent.terminate();
  }
});
