import { expect, test } from 'vitest';
import { HOSTILE } from './console-stage.js';
import { houseOfWork } from './seeded-jobs.js';
import { SeededStage } from './seeded-stage.js';

const TIMEOUT = { timeout: 180_000 };

test('the queue is ordered by keys and by buttons, and a line shows what waits for what', TIMEOUT, async () => {
  const stage = new SeededStage();
  await stage.seed(houseOfWork(Date.now()).slice(-9));
  await stage.start();
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/jobs`);
  const queue = () => page.locator('section[aria-label=Queue] .tile-name').allTextContents();
  await page.getByText('Write the release notes').waitFor();
  const names = ['Type the public SDK errors', 'Document idempotency keys', 'Write the release notes'];
  expect(await queue()).toEqual(names);
  await page.locator('[data-run=docs-idem] a').first().focus();
  await page.locator('.depends path').waitFor({ state: 'attached' });
  await page.locator('[data-run=release-notes] a').first().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(queue, { timeout: 20_000 }).toEqual([names[0], names[2], names[1]]);
  await page.getByRole('button', { name: 'Move Document idempotency keys up' }).click();
  await expect.poll(queue, { timeout: 20_000 }).toEqual(names);
  await page.locator('[data-run=sdk-errors]').dragTo(page.locator('[data-run=release-notes]'));
  await expect.poll(queue, { timeout: 20_000 }).not.toEqual(names);
  await page.locator('[data-run=sdk-errors]').dragTo(page.locator('section[aria-label=Done]'));
  await page.locator('[data-run=sdk-errors] a').first().focus();
  await page.keyboard.press('Alt+ArrowUp');
  await page.keyboard.press('Alt+ArrowUp');
  await expect.poll(queue, { timeout: 20_000 }).toEqual(names);
  const { items } = await stage.client.jobs.cards(['sdk-errors', 'docs-idem', 'release-notes']);
  const [first, second, third] = items.map(({ rank }) => rank);
  expect([first, second]).toEqual([0, expect.any(Number)]);
  expect(second).toBeLessThanOrEqual(third ?? 0);
  for (const [lane, count] of Object.entries({ 'Needs you': 2, Halted: 1, Done: 3, Working: 0 })) {
    expect(await page.locator(`section[aria-label="${lane}"] .tile`).count(), lane).toBe(count);
  }
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

test('hostile titles are text on the board, in lists, in the search and in the audit', TIMEOUT, async () => {
  const stage = new SeededStage();
  await stage.start();
  const { page } = await stage.logIn();
  await page.getByText('Nothing waits for you').waitFor();
  const order = { id: 'hostile', prompt: HOSTILE, name: HOSTILE.replaceAll('\u0007', ''), repo: stage.jobs.repo };
  await stage.client.jobs.create({ ...order, agent: 'stuck', supervisor: 'none', activate: true });
  await stage.until('hostile', 'INTERVENTION_REQUIRED');
  await page.getByText(/^New: /).waitFor({ state: 'attached' });
  await stage.client.jobs.act('hostile', 'terminate');
  const text = () => page.evaluate<string>('document.body.textContent');
  for (const address of ['/jobs', '/runs', '/audit']) {
    await page.goto(stage.served.url + address);
    await page.locator('main >> text=/gnp.exe|hostile/').first().waitFor();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(await text(), address).not.toMatch(/[\u0007\u200b\u202e]/);
  }
  await page.keyboard.press('/');
  await page.keyboard.type('gnp');
  await page
    .getByRole('option', { name: /gnp\.exe/ })
    .first()
    .waitFor();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

test('an admin makes a token, which is told once, and revokes it after a second yes', TIMEOUT, async () => {
  const stage = new SeededStage();
  await stage.start();
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/system`);
  await page.getByRole('button', { name: 'Make a token…' }).click();
  await page.getByLabel('Name').fill('mira');
  await page.getByLabel('Role').selectOption('steward');
  await page.getByText('baton token create --name mira --role steward').waitFor();
  await page.getByRole('button', { name: 'Make the token' }).click();
  const token = (await page.locator('#made-token').textContent()) ?? '';
  const ask = async () =>
    (await fetch(`${stage.served.url}/api/v1/runs`, { headers: { authorization: `Bearer ${token}` } })).status;
  expect(await ask()).toBe(200);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Revoke mira…' }).click();
  expect(await ask(), 'not yet').toBe(200);
  await page.getByRole('button', { name: 'Yes, revoke mira' }).click();
  await page.getByText('None but that of this home').waitFor();
  expect(await ask()).toBe(401);
});
