import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ConsoleStage } from './console-stage.js';
import { SIZES, violations } from './judged.js';
import type { Page } from './open-browser.js';

/** Where pictures of every page go; none are kept without it. */
const SHOTS = process.env.BATON_SCREENSHOTS;
/** Until everything on a page has been read, for pictures. */
const SETTLE_MS = 700;

/** Each with what is there when it is drawn; `press` is pressed then. */
export type GatedPage = { name: string; address: string; shows: string; press?: string };

/** What axe finds on pages in both themes and at both widths, and what is wider than its window. */
export async function gate(
  { served }: ConsoleStage,
  page: Page,
  pages: readonly GatedPage[],
  isKept: (name: string, theme: string, width: number) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`localStorage.setItem('baton-theme', '${theme}')`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const { name, address, shows, press } of pages) {
        const where = `${name} ${theme} ${size.width}`;
        await page.goto(served.url + address);
        await page.getByText(shows).first().waitFor();
        if (press !== undefined) await page.keyboard.press(press);
        if (SHOTS && isKept(name, theme, size.width)) {
          await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
          await page.screenshot({ path: path.join(SHOTS, `${where.replaceAll(' ', '-')}.png`) });
        }
        for (const problem of await violations(page)) found.push(`${where}: ${problem}`);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (wide > 0) found.push(`${where}: ${wide} px wider than the window`);
        for (const forbidden of await page.evaluate<string[]>('window.forbidden')) found.push(`${where}: ${forbidden}`);
      }
    }
  }
  return found;
}
