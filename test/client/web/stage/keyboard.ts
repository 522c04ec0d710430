import type { Page } from 'playwright-core';

/** The accessible name of what has the focus, roughly as a screen reader says it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (element === null) return '';
    const label = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent;
    return (label ?? element.textContent ?? '').trim();
  });
}

/** Presses Tab (or Shift+Tab) until what has this name has the focus. */
export async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const met: string[] = [];
  for (let i = 0; i < 80; i++) {
    const now = await focused(page);
    if (typeof name === 'string' ? now === name : name.test(now)) return;
    met.push(now.slice(0, 40));
    await page.keyboard.press(key);
  }
  throw new Error(`The focus never came to ${name}, but to: ${met.join(' | ')}`);
}

/** Types into the message input, by keyboard alone, and presses Enter, or another key. */
export async function say(page: Page, text: string, key = 'Enter'): Promise<void> {
  await page.waitForFunction(() => document.querySelector('.composer textarea:not(:disabled)') !== null);
  await tabTo(page, /^Message/);
  await page.keyboard.type(text);
  await page.keyboard.press(key);
}
