import { expect, test } from 'vitest';
import { HOSTILE } from './console-stage.js';
import { judged } from './judged.js';
import { type GatedPage, gate } from './page-gate.js';
import { SessionStage } from './session-stage.js';

const TIMEOUT = { timeout: 300_000 };

const READER = `export async function isOn(key) {
  const row = await db.flag.find(key);
  return row?.on_off ?? false;
}
`;
const PATCH = `*** Begin Patch
*** Update File: src/reader.js
@@
   const row = await db.flag.find(key);
-  return row?.on_off ?? false;
+  if (row) return row.enabled && bucket(key) < row.rollout;
+  return legacy.isOn(key);
 }
*** End Patch
`;
const PLAN = [
  { step: 'Find every reader', status: 'completed' },
  { step: 'Fallback in the old reader', status: 'completed' },
  { step: 'Migrate staging', status: 'in_progress' },
  { step: 'Run the contract tests', status: 'pending' },
];
const exec = (command: readonly string[], more: object = {}) => ({
  name: 'exec_command',
  arguments: { command, ...more },
});

/** Moves flags from one table to another, and asks before it touches staging. */
const FLAGS = {
  when: { prompt: 'feature flags' },
  steps: [
    {
      reasoning: 'First see who reads the old table.',
      text: 'I will add the table, copy the rows, then let the old reader fall back to it.',
      tool_calls: [{ name: 'update_plan', arguments: { plan: PLAN } }],
      usage: { input: 8_000, output: 300 },
    },
    { tool_calls: [{ name: 'apply_patch', arguments: { input: PATCH } }], usage: { input: 42_000, output: 300 } },
    {
      text: 'I need the new table on staging before I can run the contract tests.',
      tool_calls: [
        exec(['sh', '-c', 'echo migrated > staging.txt && cat staging.txt'], {
          with_escalated_permissions: true,
          justification: 'The database is outside of the sandbox.',
        }),
      ],
      usage: { input: 88_000, output: 400 },
    },
    { text: 'Staging has the new table. Nothing else is needed.', usage: { input: 89_000, output: 50 } },
  ],
};
const HELLO = { when: { prompt: 'hello' }, steps: [{ text: 'Good morning.' }] };
const AGAIN = { when: { prompt: 'another way' }, steps: [{ text: 'Then without a table.' }] };
const SLOW = {
  when: { prompt: 'slowly' },
  steps: [{ text: 'word '.repeat(400), delta_delay_ms: 150, delta_chars: 10 }],
};
const EVIL = {
  when: { prompt: 'hostile' },
  steps: [
    {
      text: `${HOSTILE}\n${'x'.repeat(1_000_000)}`,
      delta_chars: 10_000,
      reasoning: HOSTILE,
      tool_calls: [exec(['echo', HOSTILE], { with_escalated_permissions: true, justification: HOSTILE })],
    },
  ],
};
const SCENARIO = { turns: [FLAGS, HELLO, AGAIN, SLOW, EVIL] };

test('pages of sessions stand before axe, in both themes and at both widths', TIMEOUT, async () => {
  const stage = new SessionStage();
  await stage.startWith(SCENARIO);
  const { page } = await stage.logIn();
  await page.goto(`${stage.served.url}/sessions`);
  await page.getByText('baton chat').first().waitFor();
  expect(await judged(page), 'without any').toEqual([]);
  const cwd = stage.folder('payments-api', { 'src/reader.js': READER });
  const asks = await stage.open(cwd, { limits: { cost_usd: 4 } });
  const empty = await stage.open(cwd);
  await stage.say(asks, 'Move the feature flags into the new table and keep the old readers working.');
  const { approvals } = await stage.board(asks, ({ approvals }) => approvals[0]?.item != null);
  const done = await stage.open(cwd);
  await stage.say(done, 'hello');
  await stage.board(done, ({ tasks }) => tasks.at(-1)?.end != null);
  const pages: readonly GatedPage[] = [
    { name: 'session', address: `/sessions/${asks}`, shows: 'Approve once' },
    { name: 'session-done', address: `/sessions/${done}`, shows: 'Fork from here' },
    { name: 'session-empty', address: `/sessions/${empty}`, shows: 'Nothing was said yet' },
    { name: 'session-list', address: '/sessions', shows: 'Rows keep their place' },
    { name: 'inbox-session', address: `/inbox/${approvals[0]?.item}`, shows: 'The exact command' },
  ];
  expect(await gate(stage, page, pages, () => true)).toEqual([]);
});

test('a person reads the exact command, allows it by a key, and forks from an earlier turn', TIMEOUT, async () => {
  const stage = new SessionStage();
  await stage.startWith(SCENARIO);
  const cwd = stage.folder('payments-api', { 'src/reader.js': READER });
  const run = await stage.open(cwd);
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1200 } });
  await page.goto(`${stage.served.url}/runs`);
  await page.getByRole('heading', { name: 'Runs' }).waitFor({ state: 'attached' });
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.goto(`${stage.served.url}/sessions/${run}`);
  await page.getByLabel('What should be done').fill('Move the feature flags to the new table.');
  await page.getByLabel('What should be done').press('Enter');
  const gateway = page.getByRole('region', { name: 'Approval needed' });
  await gateway.getByText('echo migrated > staging.txt && cat staging.txt').waitFor();
  await gateway.getByText('outside of the sandbox').first().waitFor();
  await page.getByText('ran by itself').first().waitFor();
  await page.getByText('Find every reader').first().waitFor();
  await gateway.getByRole('button', { name: 'Approve once' }).waitFor();
  await page.locator('.gate').first().focus();
  await page.keyboard.press('a');
  await page.getByText('Staging has the new table. Nothing else is needed.').first().waitFor();
  await page.locator('.gate').waitFor({ state: 'hidden' });
  await page.getByText('approved by anna').first().waitFor();
  await page.getByRole('button', { name: 'Fork from here' }).first().click();
  await page.getByText('Do not fork').waitFor();
  await page.getByLabel('What should be done').fill('Do it another way.');
  await page.getByLabel('What should be done').press('Enter');
  await page.getByText('Then without a table.').first().waitFor();
  await page.getByText('Goes on from an earlier turn').waitFor();
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});

test('words come as they are written, and Escape interrupts once it was asked', TIMEOUT, async () => {
  const stage = new SessionStage();
  await stage.startWith(SCENARIO);
  const run = await stage.open(stage.folder('slow'));
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1000 } });
  await page.goto(`${stage.served.url}/sessions/${run}`);
  await page.getByText('Nothing was said yet').waitFor();
  await stage.say(run, 'slowly');
  await page.getByText('writes').waitFor();
  await page
    .getByText(/word word word/)
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Yes, interrupt/ }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('Interrupted. What was done so far is kept.').waitFor();
  await page.getByText('Ready for your next words').waitFor();
});

test('words of models are words: nothing of them runs, and a million letters are cut', TIMEOUT, async () => {
  const stage = new SessionStage();
  await stage.startWith(SCENARIO);
  const run = await stage.open(stage.folder('hostile'));
  await stage.say(run, `hostile ${HOSTILE}`);
  await stage.board(run, ({ approvals }) => approvals[0]?.item != null);
  const { page } = await stage.logIn({ viewport: { width: 320, height: 800 } });
  for (const address of [`/sessions/${run}`, '/sessions']) {
    await page.goto(stage.served.url + address);
    await page.getByText('⟨U+202E⟩').first().waitFor({ state: 'attached' });
    expect(await judged(page), address).toEqual([]);
  }
  await page.goto(`${stage.served.url}/sessions/${run}`);
  await page
    .getByText(/Show \d+\.\d kB more/)
    .first()
    .waitFor({ state: 'attached' });
  expect(await page.evaluate('window.ran')).toBeUndefined();
  expect(await page.evaluate('window.forbidden')).toEqual([]);
});
