import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { AxeResults } from 'axe-core';
import { call, fault, text } from 'holdfast/testing';
import type { Page } from 'playwright-core';
import { until } from '../../until';
import { say } from './stage/keyboard';
import { runPath, type Stage, stageForTests } from './stage/stage';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

let stage: Stage;
stageForTests((opened) => {
  stage = opened;
});

const shows = (page: Page, what: string) => page.getByText(what).first().waitFor();

it('a decision made on one device shows on the other', async () => {
  stage.kit.model.script(call('refund', { amount: 5 }), text('All done.'));
  const id = await stage.conversation('Refund 5');
  const [one, other] = [await stage.device(runPath(id)), await stage.device('/inbox')];
  await one.locator('.card').waitFor();
  await other.locator(`[data-run="${id}"]`).getByText('Approve').click();
  await shows(one, 'All done.');
  await one.locator('.card').waitFor({ state: 'detached' });
  await one.locator('.call').click();
  await shows(one, 'approved by ann');
});

it('a live region says each answer once, and each approval', async () => {
  stage.kit.model.script(
    text('One two three four five.', { chunkDelay: 50, chunkSize: 4 }),
    call('refund', { amount: 5 }),
  );
  const page = await stage.device('/new/support.desk');
  await page.getByLabel('First message').waitFor();
  await page.evaluate(() => {
    const heard: string[] = [];
    Object.assign(globalThis, { heard });
    const region = document.querySelector('.unseen');
    if (region === null) throw new Error('There is no live region');
    new MutationObserver((changes) => {
      for (const { target } of changes) if (target.textContent) heard.push(target.textContent);
    }).observe(region, { subtree: true, childList: true, characterData: true });
  });
  await page.getByLabel('First message').fill('Count');
  await page.keyboard.press('Enter');
  await shows(page, 'One two three four five.');
  const heard = () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
  await until(async () => (await heard()).length > 0, 'the answer');
  await say(page, 'Refund');
  await page.locator('.card').waitFor();
  await until(async () => (await heard()).length > 1, 'the approval');
  expect(await heard()).toEqual(['Answer: One two three four five.', 'Approval needed: refund']);
});

describe.each(['light', 'dark'] as const)('in %s', (colorScheme) => {
  /** Opens each view, and hands it over. */
  async function eachView(options: object, look: (page: Page, view: string) => Promise<void>) {
    stage.kit.model.script(
      text('# Title\n\n- a `list`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n\n[link](https://a.example)', {
        reasoning: 'Hm.',
      }),
      {
        text: 'Let me see.',
        calls: [
          { name: 'look', arguments: { id: 'A' } },
          { name: 'refund', arguments: { amount: 5 } },
        ],
      },
      call('ask_question', { question: 'Which?', suggestions: ['a', 'b'] }),
    );
    const id = await stage.conversation('Hello');
    const conversation = stage.kit.conversation('support.desk', { id });
    await until(async () => (await conversation.state()).idle, 'the first answer');
    await conversation.send('Refund');
    const waits = async () => (await conversation.waiting()).approvals.length > 0;
    await until(waits, 'the approval');
    const views: [path: string, ready: string][] = [
      ['/', '.agent'],
      ['/new/support.triage', '.field'],
      [runPath(id), '.card'],
      [runPath(id, '/timeline'), '.bar-row'],
      ['/inbox', '.card'],
    ];
    for (const [path, ready] of views) {
      const page = await stage.device(path, { colorScheme, ...options });
      await page.locator(ready).first().waitFor();
      for (const folded of await page.locator('main details > summary').all()) await folded.click();
      await look(page, path);
      if (ready === '.card') {
        await page.getByText('Edit …').first().click();
        await look(page, `${path}, editing`);
      }
    }
    await conversation.cancel();
  }

  it('axe finds nothing serious', async () => {
    await eachView({}, async (page, view) => {
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<AxeResults>('axe.run()');
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      const found = serious.map(({ id, nodes }) => ({ view, id, where: nodes.map(({ html }) => html.slice(0, 200)) }));
      expect(found).toEqual([]);
    });
  });

  it('nothing is wider than a phone', async () => {
    await eachView({ viewport: { width: 390, height: 800 } }, async (page, view) => {
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect({ view, width }).toEqual({ view, width: 390 });
    });
  });
});

it('an exchange that fails says why', async () => {
  stage.kit.model.script(fault({ kind: 'status', status: 400, message: 'This model knows no tools' }));
  const page = await stage.device(runPath(await stage.conversation('Hello')));
  await shows(page, 'This model knows no tools');
  await page.getByText('ready', { exact: true }).first().waitFor();
});

it('HTML, scripts and escape sequences are shown as text', async () => {
  const evil =
    '<img src=x onerror="hacked=1"><script>hacked=1</script> <b>bold</b> \u001b[31mred\u202egnp \n\n' +
    '[go](javascript:hacked=1) ![p](https://elsewhere.example/p.png) <https://elsewhere.example>';
  stage.kit.model.script(call('look', { id: evil }), text(evil));
  const id = await stage.conversation(evil);
  const page = await stage.device(runPath(id));
  await shows(page, '<script>hacked=1</script>');
  await page.locator('.call summary').click();
  const said = await page.locator('main').innerText();
  expect(said.match(/<script>hacked=1<\/script>/g)?.length).toBeGreaterThanOrEqual(3);
  expect(said).toContain('‹U+001B›[31mred‹U+202E›');
  for (const hidden of ['\u001b', '\u202e']) expect(said).not.toContain(hidden);
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  expect(await page.locator('main script, main img, main b').count()).toBe(0);
  expect(await page.locator('main a[href^="javascript"]').count()).toBe(0);
  const links = await page.locator('main .markdown a').evaluateAll((all) => all.map((a) => a.getAttribute('rel')));
  expect(new Set(links)).toEqual(new Set(['noopener noreferrer']));
});

it('the page is under 300 KB, and asks no other machine for anything', async () => {
  const assets = join(stage.folder, 'assets');
  const size = readdirSync(assets).reduce((sum, file) => sum + gzipSync(readFileSync(join(assets, file))).length, 0);
  expect(size).toBeLessThan(300 * 1024);
  const page = await stage.device();
  await page.locator('.agent').first().waitFor();
  const elsewhere = stage.requested.filter((url) => !url.startsWith(stage.url) && !url.startsWith('data:'));
  expect(elsewhere).toEqual([]);
  expect(stage.errors).toEqual([]);
});
