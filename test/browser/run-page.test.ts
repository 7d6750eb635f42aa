import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prints } from '../jobs/job-stage.js';
import { ConsoleStage } from './console-stage.js';
import { judged, SIZES } from './judged.js';
import type { Page } from './open-browser.js';

const TIMEOUT = { timeout: 180_000 };
const SHOTS = process.env.BATON_SCREENSHOTS;
const SETTLE_MS = 700;

const used = (input_tokens: number, cost_usd: number) => ({ x_usage: { input_tokens, output_tokens: 900, cost_usd } });
const said = (action: string, summary_for_supervisor: string, evidence_files: string[], usage: object) =>
  prints({ action, evidence_files, summary_for_supervisor, ...usage });

/** A job that was turned down by a check and by a reviewer, and waits for a yes. */
async function relayed(stage: ConsoleStage): Promise<void> {
  const { jobs, client } = stage;
  const count = path.join(jobs.folder, 'tries');
  await jobs.shell(
    'careful',
    `echo x >> ${count}
case $(wc -l < ${count}) in
1) printf 'exports.add = (a, b) => a * b;\\n' > add.js
${said('COMPLETED', 'Multiplied instead of subtracting.', ['add.js'], used(41_200, 0.38))}
;;
2) printf 'exports.add = (a, b) => a + b;\\n' > add.js
${said('COMPLETED', 'Turned the minus into a plus; the test passes now.', ['add.js'], used(58_900, 0.55))}
;;
*) printf '/** Adds two numbers. */\\nexports.add = (a, b) => a + b;\\n' > add.js
${said('COMPLETED', 'Wrote down what it does. No other call had to change.', ['add.js', 'test/add.test.js'], used(47_500, 0.46))}
;;
esac`,
  );
  await jobs.scripted('claude-review-2', [
    {
      answer: {
        action: 'RETRY',
        evidence_files: [],
        summary_for_supervisor: 'Say what it does, in one line.',
        ...used(22_400, 0.21),
      },
      times: 1,
    },
    {
      answer: {
        action: 'COMPLETED',
        evidence_files: [],
        summary_for_supervisor: 'Correct, small and tested.',
        ...used(26_800, 0.24),
      },
    },
  ]);
  await client.jobs.create({
    ...{
      id: 'add-again',
      name: 'Mend the addition and say what it does',
      prompt: 'Mend the addition',
      repo: jobs.repo,
    },
    ...{
      agent: 'careful',
      supervisor: 'claude-review-2',
      checks: ['node test/add.test.js'],
      approve: true,
      cost_usd: 5,
      activate: true,
    },
  });
  await stage.until('add-again', 'INTERVENTION_REQUIRED');
}

async function shot(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`), fullPage: true });
}

test('every moment of a job can be looked at, gone back from, played and forked', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  await relayed(stage);
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/runs/add-again`);
  await page.getByText('Waiting for you: Approve the result').waitFor();
  const { events } = await stage.client.jobs.view('add-again');
  await page.getByText(`event ${events} of ${events}`).waitFor();
  await page.getByText('$1.84').first().waitFor();
  await page.keyboard.press('ArrowLeft');
  await page
    .getByText(`Event ${events - 1} of ${events}`)
    .first()
    .waitFor();
  expect(await page.evaluate('location.search')).toBe(`?at=${events - 1}`);
  expect(await page.getByRole('button', { name: 'More actions' }).count(), 'acts in the past').toBe(0);
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'More actions' }).waitFor();
  // The first attempt had just been turned down by the check.
  const first = (await stage.client.jobs.relay('add-again')).items[0];
  await page.goto(`${stage.served.url}/runs/add-again?at=${first?.last_event}`);
  await page.getByText('0 of 1').first().waitFor();
  await page.getByText('$0.38').first().waitFor();
  expect(await page.locator('.hop').count()).toBe(1);
  await page.getByRole('tab', { name: /Changes/ }).click();
  await page.getByText('exports.add = (a, b) => a * b;').waitFor();
  await page.getByRole('tab', { name: /Manifest/ }).click();
  await page.locator('#tab-panel >> text=PENDING').waitFor();
  expect(await page.getByRole('button', { name: 'Fork from here' }).isDisabled(), 'no point yet').toBe(true);
  await page.getByText('There is no recovery point before this event.').waitFor();
  await page.getByRole('button', { name: '8×' }).click();
  await page.evaluate('document.activeElement.blur()');
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'More actions' }).waitFor();
  expect(await page.evaluate('location.search')).toBe('?tab=manifest');
  const point = (await stage.client.jobs.view('add-again')).points[0];
  await page.goto(`${stage.served.url}/runs/add-again`);
  await page.getByRole('slider').waitFor();
  await page.evaluate(
    `history.pushState(null, '', '?at=${point?.event}'); dispatchEvent(new PopStateEvent('popstate'))`,
  );
  await page.getByText(`baton job fork add-again --to ${point?.id}`).waitFor();
  await page.evaluate('history.back()');
  await page.getByText('Waiting for you: Approve').waitFor();
  await page.evaluate('history.forward()');
  await page.getByRole('button', { name: 'Fork from here' }).click();
  await page.getByText('forked from').waitFor();
  const forked =
    String(await page.evaluate('location.pathname'))
      .split('/')
      .at(-1) ?? '';
  expect((await stage.client.jobs.view(forked)).order.forked_from).toEqual({ job: 'add-again', point: 'p1' });
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

test(
  'what can be done is done from the page: tell, cancel after a second look, land with its result',
  TIMEOUT,
  async () => {
    const stage = new ConsoleStage();
    await stage.start();
    await stage.fill();
    const { page } = await stage.logIn();
    await page.goto(`${stage.served.url}/runs/long-look`);
    await page.getByRole('button', { name: 'Tell the agent…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('What the agent is told').fill('use tabs');
    await dialog.getByText("baton job tell long-look 'use tabs'").waitFor();
    await dialog.getByRole('button', { name: 'Tell the agent', exact: true }).click();
    await page.getByText('Tell the agent: done').waitFor();
    expect((await stage.client.eventPage({ run: 'long-look' })).items.map(({ type }) => type)).toContain('AdviceGiven');
    await page.getByRole('button', { name: 'More actions' }).click();
    await dialog.getByText('It is RUNNING; only finished work is landed.').waitFor();
    await dialog.getByRole('button', { name: /^Cancel the job/ }).click();
    await dialog.locator('form button[type=submit]').press('Enter');
    await dialog.getByText('This cannot be undone.').waitFor();
    expect((await stage.client.jobs.get('long-look')).status, 'asked once more').toBe('RUNNING');
    await dialog.getByRole('button', { name: 'Yes, cancel the job' }).click();
    await page.getByText('Its branch and its log are kept.').waitFor();
    expect((await stage.client.jobs.get('long-look')).status).toBe('CANCELED');

    await page.goto(`${stage.served.url}/runs/a-draft`);
    await page.getByRole('button', { name: 'Activate…' }).click();
    await dialog.getByRole('button', { name: 'Activate', exact: true }).click();
    await page.getByText('It can be landed.').waitFor();

    await page.goto(`${stage.served.url}/runs/add-fix`);
    await page.getByRole('button', { name: 'Land…' }).click();
    await dialog.getByText('baton job land add-fix').waitFor();
    await dialog.getByRole('button', { name: 'Land', exact: true }).click();
    await page.getByText(/Landed on main as [0-9a-f]{7}, 1 file/).waitFor();
    expect(stage.jobs.git('show', 'main:add.js')).toContain('a + b');

    // The same file, changed otherwise: it cannot be landed, and the page says in which file.
    stage.jobs.write('add.js', 'exports.add = (a, b) => b + a;\n');
    stage.jobs.commit('otherwise');
    await stage.client.jobs.act('sum-fix', 'approve');
    await page.goto(`${stage.served.url}/runs/sum-fix`);
    await page.getByRole('button', { name: 'Land…' }).click();
    await dialog.getByRole('button', { name: 'Land', exact: true }).click();
    await page.getByText('Not landed: it conflicts in add.js.').waitFor();
    await page.getByRole('link', { name: 'Answer…' }).waitFor();
  },
);

test('reject with guidance, from the page of the run', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  await relayed(stage);
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/runs/add-again`);
  await page.getByRole('button', { name: 'Reject…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Reject/ }).click();
  await dialog.getByText('Say what it should do differently.').waitFor();
  await dialog.getByLabel('Note').fill('Add a test for zero');
  await dialog.getByText("--guidance 'Add a test for zero'").waitFor();
  await dialog.getByRole('button', { name: /^Reject/ }).click();
  await page.getByText('Rejected by you').first().waitFor();
  await page.getByText('Handoff 7').waitFor();
  const { items } = await stage.client.jobs.relay('add-again');
  const asked = await stage.client.body('add-again', items.at(-2)?.request?.sha256 ?? '');
  expect(asked.text).toContain('Add a test for zero');
});

test('a viewer is offered nothing; what is shown of the past and of acts stands before axe', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  await relayed(stage);
  const viewer = await stage.logIn({}, await stage.token('vic', 'viewer'));
  await viewer.page.goto(`${stage.served.url}/runs/add-again`);
  await viewer.page.getByText('Last events').waitFor();
  expect(await viewer.page.getByRole('button', { name: /More actions|Fork/ }).count()).toBe(0);
  const { page } = await stage.logIn();
  const found: string[] = [];
  for (const theme of ['dark', 'light']) {
    await page.evaluate(`localStorage.setItem('baton-theme', '${theme}')`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const look = async (name: string) => {
        await shot(page, `${name}-${theme}-${size.width}`);
        found.push(...(await judged(page)).map((problem) => `${name} ${theme} ${size.width}: ${problem}`));
      };
      await page.goto(`${stage.served.url}/runs/add-again`);
      await page.getByText('Handoff 5').waitFor();
      await page.getByRole('button', { name: /Wrote down/ }).click();
      await page.getByText('Handoff 4').waitFor();
      if (SHOTS && size.width === 1440) await page.setViewportSize({ width: 1440, height: 1614 });
      await look('run-job');
      await page.setViewportSize(size);
      await page.goto(`${stage.served.url}/runs/add-again?at=20&handoff=2`);
      await page.getByText('Back to live').waitFor();
      await page.getByText('Handoff 2').waitFor();
      await look('run-then');
      await page.goto(`${stage.served.url}/runs/add-again?do=cancel`);
      await page.getByRole('dialog').locator('form button[type=submit]').press('Enter');
      await page.getByText('This cannot be undone.').waitFor();
      await look('run-cancel');
      await page.goto(`${stage.served.url}/runs/add-again?do=rollback`);
      await page.locator('#act-to').waitFor();
      await look('run-acts');
    }
  }
  expect(found).toEqual([]);
});
