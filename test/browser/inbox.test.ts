import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { JobStory } from '../../src/core/job/job-story.js';
import type { Wanted } from '../../src/core/kernel/effect.js';
import { NO_USAGE } from '../../src/core/kernel/effect.js';
import { ANSWERS, type JobStage } from '../jobs/job-stage.js';
import { ConsoleStage } from './console-stage.js';
import { judged, SIZES } from './judged.js';
import type { Page } from './open-browser.js';
import { slowOrder, writeJobs } from './written-job.js';

const TIMEOUT = { timeout: 240_000 };
const SHOTS = process.env.BATON_SCREENSHOTS;
const SETTLE_MS = 700;

function wants(kind: Wanted['kind'], what: string, why = 'nothing allows it'): JobStory {
  const story = JobStory.active(slowOrder({ title: `Wants ${kind}` }))
    .prepared()
    .admitted();
  const wanted = { kind, what, cwd: '/srv/app', why, hash: '7be0'.repeat(16) };
  return story.result({ type: 'Asks', key: story.handoff ?? '', wanted, usage: NO_USAGE, thread: 't1' });
}

/** Everything the engine can ask a person today, written or done. */
async function every(stage: ConsoleStage): Promise<void> {
  const { jobs } = stage;
  await stage.start(async () => {
    await writeJobs(jobs, {
      'wants-command': wants('exec', 'npx prisma migrate deploy --schema prisma/flags.prisma'),
      'wants-patch': wants('patch', '/srv/app/a.ts\n/etc/hosts', '/etc/hosts is outside of its workspace'),
      'wants-host': wants('network', 'db-staging.internal', 'no rule allows to reach db-staging.internal'),
    });
    await jobs.scripted('dear', [
      { answer: { ...ANSWERS.retry, x_usage: { input_tokens: 9, output_tokens: 9, cost_usd: 3 } } },
    ]);
    await jobs.scripted('logged-out', [{ fail: 'login' }]);
    await jobs.shell(
      'meddler',
      `printf 'exports.add = (a, b) => a + b;\\n' > add.js; echo changed > notes.md
echo '${JSON.stringify({ ...ANSWERS.completed, evidence_files: ['add.js', 'notes.md'] })}'`,
    );
  });
  const { client } = stage;
  const make = (id: string, agent: string, more: object = {}) =>
    client.jobs.create({ id, prompt: `Do ${id}`, repo: jobs.repo, agent, supervisor: 'none', activate: true, ...more });
  await make('lands', 'codex-main');
  await stage.until('lands', 'SUCCESS');
  jobs.write('add.js', 'exports.add = (a, b) => b + a;\n');
  jobs.commit('otherwise');
  await client.jobs.land('lands');
  await make('approves', 'codex-main', { approve: true, base: 'HEAD~1', checks: ['node test/add.test.js'] });
  await stage.until('approves', 'INTERVENTION_REQUIRED');
  await make('is-stuck', 'stuck');
  await stage.until('is-stuck', 'INTERVENTION_REQUIRED');
  await make('breaks', 'broken');
  await stage.until('breaks', 'INTERVENTION_REQUIRED');
  await make('protects', 'meddler', { protect: ['notes.md'] });
  await stage.until('protects', 'INTERVENTION_REQUIRED');
  await make('spends', 'dear', { cost_usd: 2 });
  await stage.until('spends', 'HALTED_COST');
  await make('is-yours', 'human');
  await make('cannot-log-in', 'logged-out');
  for (let looks = 0; (await client.inbox()).items.length < 11 && looks < 200; looks += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
}

/** What each shows: its question, its very thing, and its first answer. */
const KINDS: readonly [run: RegExp, kind: string, question: RegExp, thing: RegExp, answer: RegExp][] = [
  [/wants-command/, 'Command approval', /May it run this command/, /prisma migrate deploy/, /^Approve once/],
  [/wants-patch/, 'Patch approval', /May it change these files/, /\/etc\/hosts/, /^Approve/],
  [/wants-host/, 'Network approval', /May it reach this host/, /network: db-staging/, /^Approve once/],
  [/land-lands/, 'Landing', /conflicts with the branch/, /Files in conflict/, /^Send back/],
  [/approves/, 'Result approval', /Approve the result of “Do approves”/, /Checks run by Baton/, /^Approve/],
  [/is-stuck/, 'Intervention', /stuck says it cannot go on/, /What the agent says/, /^Resubmit/],
  [/breaks/, 'Intervention', /answered with something else/, /Raw answer/, /^Resubmit/],
  [/protects/, 'Protected files', /changed protected files/, /Protected files that differ/, /^Allow the change/],
  [/spends/, 'Limit', /Cost reached its limit of \$2\.00/, /\$3\.00/, /^Raise the limit/],
  [/is-yours/, 'Your turn', /Is it done/, /done by a person/, /^Done/],
  [/system/, 'Login', /A login does not work/, /Logins that do not work/, /^It works again/],
];

async function shot(page: Page, name: string): Promise<void> {
  if (!SHOTS) return;
  mkdirSync(SHOTS, { recursive: true });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`) });
}

test('every kind of item has its own thing, question and answers, and stands before axe', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await every(stage);
  const { page } = await stage.logIn({ colorScheme: 'dark', viewport: SIZES[0] });
  const items = (await stage.client.inbox()).items;
  expect(items).toHaveLength(KINDS.length);
  const found: string[] = [];
  for (const [run, kind, question, thing, answer] of KINDS) {
    const item = items.find(({ run_id }) => run.test(run_id));
    await page.goto(`${stage.served.url}/inbox/${item?.item}`);
    const ask = page.locator('.ask');
    await ask.getByText(kind).first().waitFor();
    await ask.getByText(question).first().waitFor();
    await ask.getByText(thing).first().waitFor();
    await ask.getByRole('button', { name: answer }).waitFor();
    await page
      .getByText(/^baton (answer|job)/)
      .first()
      .waitFor();
    await shot(page, `inbox-${kind.toLowerCase().replaceAll(' ', '-')}-dark-1440`);
    found.push(...(await judged(page)).map((problem) => `${kind}: ${problem}`));
  }
  await page.evaluate(`localStorage.setItem('baton-theme', 'light')`);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const [run] of KINDS) {
      await page.goto(`${stage.served.url}/inbox/${items.find(({ run_id }) => run.test(run_id))?.item}`);
      await page.getByText('What each answer does').waitFor();
      found.push(...(await judged(page)).map((problem) => `${run} light ${size.width}: ${problem}`));
    }
  }
  expect(found).toEqual([]);
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

test('answers by keys, with a second look at what ends; the row folds, J goes on', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await every(stage);
  const { page } = await stage.logIn();
  const { items } = await stage.client.inbox();
  const number = (run: string) => items.find(({ run_id }) => run_id === run)?.item;
  await page.goto(`${stage.served.url}/inbox/${number('approves')}`);
  await page.getByRole('button', { name: /^Approve/ }).waitFor();
  await page.locator('[role=listbox]').first().focus();
  await page.keyboard.press('a');
  await page
    .getByText(/^Approved by you, \d\d:\d\d · Undo not possible/)
    .first()
    .waitFor();
  await stage.until('approves', 'SUCCESS');
  await page.keyboard.press('j');
  await page.getByText('stuck says it cannot go on').first().waitFor();
  await page.keyboard.press('t');
  await page.getByText('This cannot be undone.').waitFor();
  await page.keyboard.press('t');
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 500))');
  expect((await stage.client.jobs.get('is-stuck')).status, 'the same key twice').toBe('INTERVENTION_REQUIRED');
  // Asked twice stays asked twice, however often the page is drawn meanwhile.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 1500))');
  await page.getByRole('button', { name: /^Yes, terminate/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Terminated by you').first().waitFor();
  await stage.until('is-stuck', 'CANCELED');
  await page.goto(`${stage.served.url}/inbox/${number('spends')}`);
  await page.getByLabel('New total').fill('9');
  await page.getByText(`baton answer ${number('spends')} --raise 9`).waitFor();
  await page.getByRole('button', { name: /^Raise the limit/ }).click();
  await page.getByText('Limit raised by you').first().waitFor();
  await page.goto(`${stage.served.url}/inbox/${number('breaks')}`);
  await page.getByRole('button', { name: /^Other phase/ }).click();
  await page.getByRole('dialog').getByLabel('Phase it goes on with').waitFor();
});

/** Three commands of one agent that are the same for a rule, and one that is not. */
async function several(stage: ConsoleStage): Promise<void> {
  await stage.start((jobs: JobStage) =>
    writeJobs(jobs, {
      one: wants('exec', 'npm test'),
      two: wants('exec', 'npm run lint'),
      three: wants('exec', 'npm run types'),
      destroys: wants('exec', 'rm -rf build'),
    }),
  );
}

test('marked ones are shown whole and answered at once; what destroys is not among them', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await several(stage);
  const { page } = await stage.logIn({ colorScheme: 'dark', viewport: SIZES[0] });
  await page.getByRole('option').nth(3).waitFor();
  await page.locator('[role=listbox]').first().focus();
  await page.keyboard.press('m');
  await page.getByText('1 marked').waitFor();
  await page.keyboard.press('j');
  await page.getByText('npm run lint').first().waitFor();
  await page.keyboard.press('m');
  await page.getByText('2 marked').first().waitFor();
  for (const _ of [1, 2]) await page.keyboard.press('j');
  await page.keyboard.press('m');
  await page.getByText('Not marked: it may destroy something').waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('m');
  const bulk = page.locator('.bulk');
  for (const command of ['npm test', 'npm run lint', 'npm run types']) await bulk.getByText(command).waitFor();
  expect(await bulk.getByText('rm -rf').count()).toBe(0);
  await page.getByText(/baton answer \d \d \d --approve/).waitFor();
  await shot(page, 'inbox-bulk-dark-1440');
  const found: string[] = [];
  for (const theme of ['light', 'dark']) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      found.push(...(await judged(page)).map((problem) => `bulk ${theme} ${size.width}: ${problem}`));
    }
  }
  expect(found).toEqual([]);
  await page.setViewportSize(SIZES[0] ?? { width: 1440, height: 900 });
  await page.getByRole('button', { name: /^Deny 3/ }).click();
  await page.getByText('Denied by you').nth(2).waitFor();
  const left = (await stage.client.inbox()).items.map(({ run_id }) => run_id);
  expect(left).toContain('destroys');
  for (const run of ['one', 'two', 'three']) expect(left).not.toContain(run);
});

test('two stewards at once: who is second sees who was first, and keeps their note', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  await several(stage);
  const eva = await stage.logIn({}, await stage.token('eva', 'steward'));
  const jonas = await stage.logIn({}, await stage.token('jonas', 'steward'));
  for (const { page } of [eva, jonas]) {
    await page.goto(`${stage.served.url}/inbox/1`);
    await page.getByRole('button', { name: /^Deny/ }).waitFor();
  }
  await eva.page.getByLabel('Note').fill('not before noon');
  await jonas.page.getByRole('button', { name: /^Deny/ }).click();
  await jonas.page.getByText('Denied by you').first().waitFor();
  await eva.page
    .getByText(/^jonas denied this \d+ s ago/)
    .first()
    .waitFor();
  expect(await eva.page.getByLabel('Your note, not sent').inputValue()).toBe('not before noon');
  expect(
    await eva.page
      .locator('.answer')
      .getByRole('button', { name: /^Approve/ })
      .count(),
  ).toBe(0);
});

test('with four eyes whoever made a job sees its question, and why it is for somebody else', TIMEOUT, async () => {
  const stage = new ConsoleStage();
  stage.jobs.configure({ sandbox: { mode: 'none' }, approvals: { four_eyes: true } });
  await several(stage);
  const eva = await stage.logIn({}, await stage.token('eva', 'steward'));
  await eva.page.goto(`${stage.served.url}/inbox/1`);
  await eva.page.getByText('eva made this run; approvals.four_eyes wants somebody else to answer.').waitFor();
  expect(await eva.page.getByRole('button', { name: /^Approve once/ }).isDisabled()).toBe(true);
  const jonas = await stage.logIn({}, await stage.token('jonas', 'steward'));
  await jonas.page.goto(`${stage.served.url}/inbox/1`);
  await jonas.page.getByRole('button', { name: /^Approve once/ }).click();
  await jonas.page.getByText('Approved by you').first().waitFor();
});
