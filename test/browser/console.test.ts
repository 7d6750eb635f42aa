import { expect, test } from 'vitest';
import { ConsoleStage, HOSTILE } from './console-stage.js';

const TIMEOUT = { timeout: 120_000 };

test('log in, see an item, approve it by its key, see the run end', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  const { page, context } = await stage.logIn();
  await page.getByText('Nothing waits for you').waitFor();
  const order = { id: 'j', prompt: 'Fix the addition', repo: stage.jobs.repo, agent: 'codex-main', supervisor: 'none' };
  await stage.client.jobs.create({ ...order, approve: true, activate: true });
  await page.getByRole('option').waitFor();
  await page.getByText('Turned the minus into a plus').waitFor();
  await page.getByText('exports.add = (a, b) => a + b;').waitFor();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press('a');
  expect((await stage.client.jobs.get('j')).status, 'a key without focus').toBe('INTERVENTION_REQUIRED');
  await page.getByRole('option').click();
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  await page.locator('[role=listbox]').first().focus();
  await page.keyboard.press('a');
  await page.getByText('Approved by you').first().waitFor();
  await stage.until('j', 'SUCCESS');
  await page.goto(`${stage.served.url}/runs/j`);
  await page.getByText('It can be landed.').waitFor();
  expect((await context.cookies()).map(({ httpOnly, sameSite }) => ({ httpOnly, sameSite }))).toEqual([
    { httpOnly: true, sameSite: 'Strict' },
  ]);
  expect(await page.evaluate('location.href')).not.toContain('#');
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

test('create a job, send it back with words, end another one; all without a reload', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  const { page } = await stage.logIn();
  await page.getByText('Nothing waits for you').waitFor();
  await page.evaluate('window.same = true');
  await page.keyboard.press('n');
  await page.getByLabel('What is to be done').fill("Find out why it's slow");
  await page.getByLabel('Repository').fill(stage.jobs.repo);
  await page.getByLabel('Worker').selectOption('broken');
  await page.getByLabel('Reviewer').selectOption('none');
  await page.getByText(`baton run 'Find out why it'\\''s slow' --repo`).waitFor();
  await page.getByRole('button', { name: 'Create and start' }).click();
  await page.getByText('Waiting for you').first().waitFor();
  await page.getByRole('button', { name: 'Resubmit…' }).click();
  await page.getByRole('link', { name: 'Open it in the inbox' }).click();
  await page.getByText('I could not do it, sorry.').waitFor();
  await page.getByRole('button', { name: /^Resubmit/ }).click();
  await page.getByText('Say what it should do differently.').waitFor();
  await page.getByLabel('Note').fill('Measure first');
  await page.getByRole('button', { name: /^Resubmit/ }).click();
  await page.getByText('Resubmitted by you').first().waitFor();
  const [run] = (await stage.client.runs({ kind: 'job' })).items;
  const id = run?.run_id ?? '';
  await stage.until(id, 'INTERVENTION_REQUIRED');
  expect(JSON.stringify(await stage.client.jobs.history(id))).toContain('Measure first');
  await page.locator('[role=option]:nth-child(2)').click();
  await page.getByRole('button', { name: /^Terminate/ }).click();
  await page.getByRole('button', { name: /^Yes, terminate/ }).click();
  await stage.until(id, 'CANCELED');
  expect(await page.evaluate('window.same')).toBe(true);
});

test('hostile strings are text: nothing runs, nothing is forbidden, nothing is hidden', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  const { page } = await stage.logIn();
  const order = { id: 'hostile', prompt: HOSTILE, repo: stage.jobs.repo, agent: 'stuck', supervisor: 'none' };
  await stage.client.jobs.create({ ...order, activate: true });
  await stage.until('hostile', 'INTERVENTION_REQUIRED');
  const shown = `<img src=x onerror="window.ran=1"><script>window.ran=2</script>⟨U+202E⟩gnp.exe`;
  for (const address of ['/inbox', '/runs', '/runs/hostile', '/runs/hostile?tab=log', '/runs/hostile?tab=manifest']) {
    await page.goto(stage.served.url + address);
    const inside = address.includes('tab=') ? '#tab-panel' : 'main';
    await page.locator(`${inside} >> text=gnp.exe`).first().waitFor();
    if (address === '/inbox') await page.getByText(shown).first().waitFor();
  }
  await page.goto(`${stage.served.url}/runs/hostile?tab=events`);
  await page.getByRole('button', { name: /HandoffAnswered/ }).click();
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(await page.evaluate('window.forbidden')).toEqual([]);
  const text = await page.evaluate<string>('document.body.textContent');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text).not.toMatch(/[\u0007\u200b\u202e]/);
});
