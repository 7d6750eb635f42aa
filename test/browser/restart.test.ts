import { expect, test } from 'vitest';
import { createClient } from '../../src/client/index.js';
import { spoil } from '../audit/in-process.js';
import { serve } from '../client/served.js';
import { ConsoleStage } from './console-stage.js';

const TIMEOUT = { timeout: 180_000 };

test(
  'a server that is killed and comes back is told; the page goes on without a reload and without logging in',
  TIMEOUT,
  async () => {
    const stage = new ConsoleStage();
    await stage.start();
    const { page } = await stage.logIn();
    await page.evaluate('window.same = true');
    await page.keyboard.press('n');
    await page.getByLabel('What is to be done').fill('Fix the addition');
    await page.getByLabel('Repository').fill(stage.jobs.repo);
    await page.getByLabel('Worker').selectOption('slow');
    await page.getByLabel('Reviewer').selectOption('none');
    await page.getByRole('button', { name: 'Create and start' }).click();
    await page.getByText('Running').first().waitFor();
    const [job] = (await stage.client.runs({ kind: 'job' })).items;
    const id = job?.run_id ?? '';
    const { port } = new URL(stage.served.url);
    await stage.served.stop('SIGKILL');
    await page.getByText('Stale since').waitFor();
    await page.getByRole('heading', { name: 'Fix the addition' }).waitFor();
    stage.served = await serve(stage.jobs, { port: Number(port) });
    stage.client = createClient(stage.served);
    await page.locator('.bar .pulse.live').waitFor({ timeout: 60_000 });
    await stage.client.jobs.act(id, 'cancel');
    await page.getByText('Canceled').first().waitFor();
    await page.getByText(/ended: canceled/).waitFor({ state: 'attached' });
    expect(await page.evaluate('window.same')).toBe(true);
    expect(await page.getByText('You are not logged in').count()).toBe(0);
    expect(await page.evaluate('window.forbidden')).toEqual([]);
  },
);

test('who logs out stays logged out, also when the server comes back', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  const { page } = await stage.logIn();
  await page.getByText('Nothing waits for you').waitFor();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByText('A link logs a browser in').waitFor();
  const { port } = new URL(stage.served.url);
  await stage.served.stop('SIGKILL');
  await serve(stage.jobs, { port: Number(port) });
  await page.goto(`http://127.0.0.1:${port}/inbox`);
  await page.getByText('You are not logged in').waitFor();
});

test(
  'a token that is revoked is told by a banner and hides nothing; a new log-in in another window is enough',
  TIMEOUT,
  async () => {
    const stage = new ConsoleStage();
    await stage.start();
    const { token } = (await stage.jobs.json('token', 'create', '--name', 'mira', '--role', 'steward')).printed;
    const { page, context } = await stage.logIn({}, String(token));
    await page.goto(`${stage.served.url}/runs`);
    await page.getByText('Work that agents do comes here').waitFor();
    const order = { id: 'j', prompt: 'Fix the addition', repo: stage.jobs.repo, agent: 'slow', supervisor: 'none' };
    await stage.client.jobs.create({ ...order, activate: true });
    await page.getByText('1 new').first().waitFor();
    await page.keyboard.press('.');
    await page.getByText('Fix the addition').waitFor();
    await stage.client.revokeToken('mira');
    await page.getByText('You are not logged in').waitFor();
    await page.getByText('Fix the addition').waitFor();
    const other = await context.newPage();
    await other.goto(await stage.link(stage.served.token));
    await page.getByText('You are not logged in').waitFor({ state: 'hidden' });
    await page.locator('.bar .pulse.live').waitFor();
  },
);

test('ages are those of the server, however wrong the clock of the browser is', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  const order = { id: 'j', prompt: 'Fix the addition', repo: stage.jobs.repo, agent: 'slow', supervisor: 'none' };
  await stage.client.jobs.create({ ...order, activate: true });
  const { page } = await stage.logIn();
  await page.addInitScript({ content: 'const now = Date.now; Date.now = () => now() + 7_200_000;' });
  await page.goto(`${stage.served.url}/runs`);
  await page.getByText('Fix the addition').waitFor();
  const ages = () => page.locator('.runs tbody tr:first-child time').allTextContents();
  await expect.poll(async () => (await ages()).every((age) => /^\d+ (s|m)$/.test(age))).toBe(true);
});

test('a log that was changed is told in red on every page, with the name of the run', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  await stage.client.jobs.create({
    id: 'forged',
    prompt: 'Fix it',
    repo: stage.jobs.repo,
    agent: 'broken',
    supervisor: 'none',
  });
  const { port } = new URL(stage.served.url);
  await stage.served.stop();
  await spoil(stage.jobs.home, "UPDATE journal SET actor = 'mallory' WHERE run_id = 'codex-main' AND seq = 1");
  stage.served = await serve(stage.jobs, { port: Number(port) });
  const { page } = await stage.logIn();
  await page.getByText('chain broken in codex-main').waitFor({ timeout: 60_000 });
  await page.goto(`${stage.served.url}/system`);
  await page.getByText('The log is not as it was written').waitFor();
  await page.getByText('chain broken in codex-main').waitFor();
});
