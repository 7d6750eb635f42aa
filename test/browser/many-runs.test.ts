import { expect, test } from 'vitest';
import { manyJobs } from './seeded-jobs.js';
import { SeededStage } from './seeded-stage.js';

const RUNS = 10_000;
/** A window of rows and what stands around them; 10,000 rows would be more than 200,000 elements. */
const ELEMENTS_MAX = 3_000;

test('ten thousand runs: few elements, counts per state, order that keeps still', { timeout: 300_000 }, async () => {
  const stage = new SeededStage();
  await stage.seed(manyJobs(RUNS, Date.now()));
  await stage.start();
  const { page } = await stage.logIn();
  await page.evaluate('history.pushState(null, "", "/runs"); dispatchEvent(new PopStateEvent("popstate"))');
  await page.getByText('10,000 shown').waitFor({ timeout: 60_000 });
  const elements = () => page.evaluate<number>('document.querySelectorAll("*").length');
  expect(await elements()).toBeLessThan(ELEMENTS_MAX);
  expect(await page.getByRole('button', { name: /Need you/ }).textContent()).toMatch(/20$/);
  expect(await page.getByRole('button', { name: /^Finished [\d,]+$/ }).textContent()).toMatch(/9,980$/);
  expect(await page.evaluate('document.querySelector(".runs tbody tr").offsetHeight')).toBe(34);
  const titles = () => page.locator('.runs tbody .run-name a').allTextContents();
  const before = await titles();
  expect(before[0], 'who waits longest').toBe('Job number 8');

  await stage.client.jobs.act('job-8', 'terminate');
  await stage.client.jobs.create({
    id: 'fresh',
    prompt: 'New work',
    repo: stage.jobs.repo,
    activate: false,
    agent: 'slow',
  });
  await page.getByText('1 new').first().waitFor();
  await page.locator('.runs tbody tr:first-child .st.rest').waitFor();
  expect((await titles()).slice(0, 20), 'nothing moves').toEqual(before.slice(0, 20));
  await page.keyboard.press('.');
  await page.getByText('10,001 shown').waitFor();
  expect((await titles())[0]).toBe('Job number 508');

  await page.evaluate('document.getElementById("main").scrollTop = 1e9');
  await page.getByText('Job number 1', { exact: true }).waitFor();
  expect(await elements()).toBeLessThan(ELEMENTS_MAX);
  await page.keyboard.press('f');
  await page.keyboard.type('number 4711');
  await page.getByText('1 shown').waitFor();
  await page.getByText('Job number 4711').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('"4711"');
  await page.getByRole('option', { name: /Job number 4711/ }).click();
  await page.waitForURL(/\/runs\/job-4711/);
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

/** Of the page while thousands of events arrive; one for each event would be more than 9,000. */
const REQUESTS_MAX = 200;

test('a flood of events is folded: few requests, nothing moves, nothing is missed', { timeout: 300_000 }, async () => {
  const stage = new SeededStage();
  await stage.start();
  const before = { id: 'first', prompt: 'The first of all', repo: stage.jobs.repo, agent: 'slow', supervisor: 'none' };
  await stage.client.jobs.create({ ...before, activate: true });
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/runs`);
  await page.getByText('1 shown').waitFor();
  await page.evaluate('performance.clearResourceTimings()');
  await page.evaluate('performance.setResourceTimingBufferSize(20_000)');
  await stage.seed(manyJobs(3_000, Date.now()));
  await page.getByText('3,000 new').waitFor({ timeout: 120_000 });
  expect(await page.evaluate<number>("performance.getEntriesByType('resource').length")).toBeLessThan(REQUESTS_MAX);
  expect(await page.locator('.runs tbody .run-name a').allTextContents()).toEqual(['The first of all']);
  await page.keyboard.press('.');
  await page.getByText('3,001 shown').waitFor();
  expect(await page.locator('.bar .pulse.live').count()).toBe(1);
});
