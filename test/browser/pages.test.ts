import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ConsoleStage } from './console-stage.js';
import { axeFile, type Page } from './open-browser.js';

/** Where pictures of every page go; none are kept without it. */
const SHOTS = process.env.BATON_SCREENSHOTS;

/** Each with what is there when it is drawn. */
const PAGES: readonly { name: string; address: string; shows: string }[] = [
  { name: 'inbox', address: '/inbox', shows: 'oldest first' },
  { name: 'inbox-stuck', address: '/inbox/2', shows: 'What each answer does' },
  { name: 'runs', address: '/runs', shows: 'Rows keep their place' },
  { name: 'new-job', address: '/runs?new=1', shows: 'Create and start' },
  { name: 'run', address: '/runs/sum-fix', shows: 'Last events' },
  { name: 'run-reviewed', address: '/runs/review-twice', shows: 'Last events' },
  { name: 'run-changes', address: '/runs/sum-fix?tab=changes', shows: 'exports.add' },
  { name: 'run-evidence', address: '/runs/sum-fix?tab=evidence', shows: 'hashed when the answer came' },
  { name: 'run-log', address: '/runs/hostile?tab=log', shows: 'gnp.exe' },
  { name: 'run-events', address: '/runs/sum-fix?tab=events', shows: 'JobSubmitted' },
  { name: 'run-manifest', address: '/runs/sum-fix?tab=manifest', shows: 'current_phase' },
  { name: 'jobs', address: '/jobs', shows: 'Read everything' },
  { name: 'costs', address: '/costs', shows: 'no budget set' },
  { name: 'audit', address: '/audit', shows: 'Intact.' },
  { name: 'system', address: '/system', shows: 'Store and server' },
  { name: 'token', address: '/system?token=1', shows: 'Make the token' },
  { name: 'login', address: '/login', shows: 'A link logs a browser in' },
];
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Until everything on a page has been read, for pictures. */
const SETTLE_MS = 700;
const MAIN = ['inbox', 'inbox-stuck', 'runs', 'run'];

/** All pages once, and those that matter most in the other theme and at both widths. */
function isKept(name: string, theme: string, width: number): boolean {
  return theme === 'dark' ? width === 1440 : MAIN.includes(name);
}

type Violation = { id: string; nodes: { html: string; failureSummary: string }[] };

test('every page stands before axe, in both themes and at both widths', { timeout: 600_000 }, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  await stage.fill();
  const { page } = await stage.logIn();
  const axe = readFileSync(axeFile(), 'utf8');
  const found: string[] = [];
  if (SHOTS) mkdirSync(SHOTS, { recursive: true });
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`localStorage.setItem('baton-theme', '${theme}')`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      for (const { name, address, shows } of PAGES) {
        await page.goto(stage.served.url + address);
        await page.getByText(shows).first().waitFor();
        if (SHOTS && isKept(name, theme, size.width)) {
          await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
          await page.screenshot({ path: path.join(SHOTS, `${name}-${theme}-${size.width}.png`) });
        }
        for (const problem of await judged(page, axe)) found.push(`${name} ${theme} ${size.width}: ${problem}`);
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        if (wide > 0) found.push(`${name} ${theme} ${size.width}: ${wide} px wider than the window`);
      }
    }
  }
  expect(found).toEqual([]);
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

async function judged(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, 160)}`));
}
