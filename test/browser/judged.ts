import { readFileSync } from 'node:fs';
import { axeFile, type Page } from './open-browser.js';

type Violation = { id: string; nodes: { html: string }[] };

/** What axe has against a page, and whether it is wider than its window. */
export async function judged(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(axeFile(), 'utf8'));
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, 160)}`)),
    ...(wide > 0 ? [`${wide} px wider than the window`] : []),
  ];
}

export const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
