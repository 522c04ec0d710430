import { call, text } from 'holdfast/testing';
import type { Page } from 'playwright-core';
import { flowingAnswer } from '../../flowing-answer';
import { say, tabTo } from './stage/keyboard';
import { runPath, type Stage, stageForTests } from './stage/stage';

let stage: Stage;
let page: Page;
stageForTests((opened) => {
  stage = opened;
});

const shows = (what: string | RegExp, timeout = 60_000) =>
  page.locator('main').getByText(what).first().waitFor({ timeout });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const lastRequest = () => JSON.stringify(stage.kit.model.requests.at(-1)?.body.messages);

it('a budget that is used up is raised where it ended the exchange, and the message is answered then', async () => {
  const dear = { usage: { prompt: 900, completion: 100 } };
  stage.kit.model.script(text('One.', dear), text('Two.', dear), text('Three.'));
  const id = await stage.conversation(`Hello ${'long '.repeat(450)}`, { agent: 'support.saver' });
  page = await stage.device(runPath(id));
  await shows('One.');
  await say(page, 'Again');
  await shows('Two.');
  await say(page, 'And again');
  await shows('The budget leaves too little for another call.');
  expect(stage.kit.model.requests).toHaveLength(2);
  await tabTo(page, 'New limit for tokens', 'Shift+Tab');
  await page.keyboard.type('50000');
  await page.keyboard.press('Enter');
  await shows('The limit was changed.');
  await press('Answer my message');
  await shows('Three.');
  expect(lastRequest()).toContain('And again');
  await page.getByText('The budget leaves too little for another call.').waitFor({ state: 'detached' });
});

it('a short conversation is compacted by hand: the page says so, and the model reads the summary', async () => {
  stage.kit.model.script(text('One.'), text('Two.'), text('They talked about orders.'), text('After.'));
  page = await stage.device(runPath(await stage.conversation('Hello')));
  await shows('One.');
  await say(page, 'Again');
  await shows('Two.');
  await page.locator('.status.ready').first().waitFor();
  await press('More');
  await press('Compact');
  await shows(/Old messages are summed up: the model is sent about/);
  await say(page, 'Go on');
  await shows('After.');
  expect(lastRequest()).toContain('They talked about orders.');
  expect(lastRequest()).not.toContain('One.');
  await shows('One.');
});

it('a question with a schema is a form, which says what does not fit', async () => {
  const answer_schema = {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City' },
      nights: { type: 'integer', minimum: 1 },
      class: { enum: ['first', 'second'] },
      late: { type: 'boolean' },
    },
    required: ['city', 'nights'],
  };
  stage.kit.model.script(call('ask_question', { question: 'Which trip?', answer_schema }), text('Booked.'));
  page = await stage.device(runPath(await stage.conversation('Book')));
  await page.getByLabel('City').fill('Rome');
  await press('Answer');
  await shows('Expected a number.');
  await page.getByLabel('nights').fill('0');
  await press('Answer');
  await shows(/nights: must be >= 1/);
  await page.getByLabel('nights').fill('3');
  await page.getByLabel(/^class/).selectOption('second');
  await page.getByLabel('late').check();
  await press('Answer');
  await shows('Booked.');
  expect(lastRequest()).toContain(JSON.stringify('{"city":"Rome","nights":3,"class":"second","late":true}'));
});

it('a call of a kind that was approved for the run is not asked about again', async () => {
  stage.kit.model.script(
    call('refund', { amount: 5 }),
    text('One done.'),
    call('refund', { amount: 7 }),
    text('Two done.'),
  );
  page = await stage.device(runPath(await stage.conversation('Refund 5')));
  await page.getByLabel('Applies to').selectOption('run');
  await press('Approve');
  await shows('One done.');
  await say(page, 'Refund 7');
  await shows('Two done.');
  expect(lastRequest()).toContain('refunded 7');
});

describe('a message to an agent that works', () => {
  it('waits for the next step: the answer in progress stays whole', async () => {
    const talk = flowingAnswer();
    stage.kit.model.script(talk.step, text('In French: bonjour.'));
    page = await stage.device(runPath(await stage.conversation('Talk')));
    await shows('word2');
    await say(page, 'In French please');
    await shows('Queued: the agent reads it at its next step.');
    await page.reload();
    await shows('In French please');
    talk.end();
    await shows('In French: bonjour.');
    const said = await page.locator('.message.assistant').innerText();
    expect(
      said
        .match(/word\d+/g)
        ?.map((word) => `${word} `)
        .join(''),
    ).toBe(talk.said());
    expect(said.indexOf('In French please')).toBeLessThan(said.indexOf('In French: bonjour.'));
    expect(await page.getByText('In French please').count()).toBe(1);
  });

  it('interrupts it with Ctrl+Enter, or by the button', async () => {
    stage.kit.model.script(flowingAnswer().step, flowingAnswer('other').step, text('In French: bonjour.'));
    page = await stage.device(runPath(await stage.conversation('Talk')));
    await shows('word2');
    await say(page, 'In French please', 'Control+Enter');
    await shows('other2');
    await page.keyboard.type('Now');
    await tabTo(page, 'Send now');
    await page.keyboard.press('Enter');
    await shows('In French: bonjour.');
    expect(lastRequest()).toMatch(/In French please.*Now/);
    expect(await page.locator('.message.assistant').innerText()).toContain('In French: bonjour.');
    for (const { socketClosed } of stage.kit.model.requests.slice(0, 2)) await socketClosed;
  });

  it('withdraws a question with "Send now", as the page says before', async () => {
    stage.kit.model.script(call('ask_question', { question: 'Which?' }), text('Never mind, then.'));
    page = await stage.device(runPath(await stage.conversation('Paint')));
    await page.locator('.card.question').waitFor();
    await page.getByLabel(/^Message/).fill('Forget it');
    await shows('the question is withdrawn, and the agent reads it instead.');
    await press('Send now');
    await shows('Never mind, then.');
    await page.locator('.card.question').waitFor({ state: 'detached' });
  });
});

describe('a key that may not do everything', () => {
  const buttons = async () => (await page.locator('main button:visible').allInnerTexts()).sort();

  it('that only reads has no button that the server refuses, and reads why', async () => {
    stage.kit.model.script(call('refund', { amount: 5 }));
    const id = await stage.conversation('Refund 5', { key: 'read' });
    page = await stage.device(runPath(id), { key: 'read' });
    await page.locator('.card').waitFor();
    await shows('Your key may not decide on calls and budgets (scope decide).');
    expect(await page.getByPlaceholder('Your key may not send messages (scope message).').isDisabled()).toBe(true);
    expect(await buttons()).toEqual([expect.stringMatching(/tokens$/), 'More']);
    await page.locator('.card').focus();
    await page.keyboard.press('a');
    await press('More');
    await shows('Your key may not send messages (scope message).');
    expect(await page.locator('.menu-items button').count()).toBe(0);
    expect((await stage.kit.conversation('support.desk', { id }).waiting()).approvals).toHaveLength(1);
    await page.goto(stage.url);
    await shows('Your key may not start runs (scope start).');
    expect(await page.locator('a.agent').count()).toBe(0);
    await page.locator('nav').getByText('Inbox').click();
    await shows('Your key may not decide on calls and budgets (scope decide).');
  });

  it('that reads and decides approves a call, and says nothing', async () => {
    stage.kit.model.script(call('refund', { amount: 5 }), text('All done.'));
    const id = await stage.conversation('Refund 5', { key: 'read decide' });
    page = await stage.device(runPath(id), { key: 'read decide' });
    await press('Approve');
    await shows('All done.');
    expect(await page.getByPlaceholder(/may not send messages/).isDisabled()).toBe(true);
  });

  it('that may not read is told so, and another one is asked for', async () => {
    page = await stage.device('/', { key: 'decide' });
    await shows('Your key may not read runs (scope read).');
    const before = stage.requested.length;
    await press('Use another key');
    await page.getByLabel('Token').waitFor();
    expect(stage.requested.slice(before).filter((url) => url.includes('/v1/runs'))).toEqual([]);
    expect(stage.errors).toEqual([]);
  });
});
