import { expect, test } from 'vitest';
import type { LedgerBoard } from '../../src/contracts/api/ledger-shapes.js';
import { EMPTY, HOSTILE, longBoard, UNDER_WAY } from '../operator/boards.js';
import { OperatorStage } from './operator-stage.js';
import { type GatedPage, gate } from './page-gate.js';

const TIMEOUT = { timeout: 300_000 };
const RUN = UNDER_WAY.ledger.run_id;

const PAGES: readonly GatedPage[] = [
  { name: 'operator', address: `/operator/${RUN}`, shows: 'reconciled, no issues' },
  { name: 'operator-task', address: `/operator/${RUN}?task=T-9`, shows: 'Worklog of T-9', press: 'l' },
  { name: 'operator-list', address: '/operator', shows: 'Rows keep their place' },
  { name: 'operator-attempt', address: `/runs/${RUN}.T-4.1`, shows: 'moved header.ts' },
  { name: 'inbox-blocker', address: '/inbox/45', shows: 'Last line of its worklog' },
];

test('pages of the operator stand before axe, in both themes and at both widths', TIMEOUT, async () => {
  const stage = new OperatorStage();
  await stage.start();
  const { page } = await stage.logIn();
  await stage.showing(page, UNDER_WAY);
  expect(await gate(stage, page, PAGES, () => true)).toEqual([]);
});

test('an empty ledger and a hostile one stand before axe too, and nothing of them runs', TIMEOUT, async () => {
  for (const [board, shows] of [
    [EMPTY, 'There are no tasks yet.'],
    [HOSTILE, 'wrote outside of its paths'],
  ] as const) {
    const stage = new OperatorStage();
    await stage.start();
    const { page } = await stage.logIn();
    await stage.showing(page, board);
    const name = board === EMPTY ? 'operator-empty' : 'operator-hostile';
    const address = `/operator/${RUN}?task=T-1`;
    expect(await gate(stage, page, [{ name, address, shows }], () => true)).toEqual([]);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  }
});

/** The same, but T-4 is done. */
function oneMoreDone(board: LedgerBoard): LedgerBoard {
  const tasks = board.ledger.tasks.map((task) =>
    task.task_id === 'T-4' ? { ...task, status: 'done' as const } : task,
  );
  const rows = board.rows.map((row) =>
    row.task_id === 'T-4' ? { ...row, heartbeat_at: null, criteria: { proven: 4, of: 4 }, commit: 'f00dcafe' } : row,
  );
  const active_locks = board.ledger.active_locks.filter(({ task_id }) => task_id !== 'T-4');
  return { ...board, rows, ledger: { ...board.ledger, tasks, active_locks, version: 28 } };
}

/** Nobody was heard: then nothing is looked at without an event. */
function silent(board: LedgerBoard): LedgerBoard {
  return { ...board, rows: board.rows.map((row) => ({ ...row, heartbeat_at: null })) };
}

const IDS = "[...document.querySelectorAll('.ledger tbody .m:first-child')].map((one) => one.textContent)";

test('an event of the run or of an attempt changes the page in place; rows move only when asked', TIMEOUT, async () => {
  const stage = new OperatorStage();
  await stage.start();
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1600 } });
  await stage.showing(page, silent(UNDER_WAY));
  await page.goto(`${stage.served.url}/operator/${RUN}`);
  await page.getByText('5 of 12 tasks').waitFor();
  const before = await page.evaluate<string[]>(IDS);
  await stage.changeTo(page, oneMoreDone(silent(UNDER_WAY)));
  // A run of an attempt is named after the ledger: any event of it will do.
  const attempt = { id: `${RUN}.T-4.1`, prompt: 'x', repo: stage.jobs.repo, agent: 'slow', supervisor: 'none' };
  await stage.client.jobs.create({ ...attempt, activate: false });
  await page.getByText('6 of 12 tasks').waitFor();
  await page.getByText('ledger version 28').waitFor();
  expect(await page.evaluate<string[]>(IDS)).toEqual(before);
  await page.getByText(/changed order/).waitFor();
  await page.keyboard.press('.');
  await page.getByText(/changed order/).waitFor({ state: 'hidden' });
  expect(await page.evaluate<string[]>(IDS)).not.toEqual(before);
});

test('works by keys alone: pages, tasks, lines, locks, and the answer', TIMEOUT, async () => {
  const stage = new OperatorStage();
  await stage.start();
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 1200 } });
  await stage.showing(page, UNDER_WAY);
  await page.goto(`${stage.served.url}/runs`);
  await page.getByRole('heading', { name: 'Runs' }).waitFor({ state: 'attached' });
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('link', { name: 'Split billing module into services' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/operator/${RUN}$`));
  await page.getByText('5 of 12 tasks').waitFor();
  await page.keyboard.press('j');
  await page.waitForURL(/task=T-6/);
  await page.getByRole('region', { name: 'Worklog of T-6' }).waitFor();
  await page.keyboard.press('j');
  await page.waitForURL(/task=T-4/);
  await page.getByRole('link', { name: 'Attempt 1' }).waitFor();
  const lines = () => page.evaluate<number>("document.querySelectorAll('.gantt-over.lines > path').length");
  const ofOne = await lines();
  expect(ofOne).toBe(3);
  await page.keyboard.press('l');
  await expect.poll(lines).toBeGreaterThan(ofOne);
  const row = 'document.activeElement.innerText.split(/\\s/)[0]';
  await page.locator('[role=treegrid] tr').first().focus();
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(row)).toBe('api');
  await page.keyboard.press('ArrowLeft');
  await page.locator('.locks').getByText('changes.md').first().waitFor({ state: 'hidden' });
  await page.keyboard.press('ArrowRight');
  await page.locator('.locks').getByText('changes.md').first().waitFor();
  await page.getByRole('button', { name: 'Give to codex-main…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Give to codex-main/ }).click();
  await expect.poll(() => page.evaluate('window.sent')).toEqual([{ decision: 'approve', text: 'agent codex-main' }]);
});

test('a ledger of ten thousand tasks opens where work is done, and draws only what is seen', TIMEOUT, async () => {
  const stage = new OperatorStage();
  await stage.start();
  const { page } = await stage.logIn({ viewport: { width: 1440, height: 900 } });
  await stage.showing(page, longBoard());
  await page.goto(`${stage.served.url}/operator/${RUN}`);
  await page.getByText('4,000 of 10,000 tasks').waitFor();
  await page.getByText('T-4005').first().waitFor();
  const drawn = () => page.evaluate<number>("document.querySelectorAll('.gantt-row, .ledger tbody tr').length");
  expect(await drawn()).toBeLessThan(150);
  await page.evaluate("document.getElementById('main').scrollTop = 1e7");
  await page.locator('.ledger').getByText('Task number 4000').first().waitFor();
  expect(await drawn()).toBeLessThan(150);
});
