import { readFileSync } from 'node:fs';
import { axeFile, type Page } from './open-browser.js';

type Violation = { id: string; nodes: { html: string }[] };

let axe: string | undefined;

/** By every rule that axe has. What pages do right is not told: for thousands of elements that takes longer than to look. */
export async function violations(page: Page): Promise<string[]> {
  axe ??= readFileSync(axeFile(), 'utf8');
  await page.evaluate(axe);
  const look = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)";
  const found = await page.evaluate<Violation[]>(look);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, 160)}`));
}

/** What axe has against a page, and whether it is wider than its window. */
export async function judged(page: Page): Promise<string[]> {
  const found = await violations(page);
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return [...found, ...(wide > 0 ? [`${wide} px wider than the window`] : [])];
}

export const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
