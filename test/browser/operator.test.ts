import { expect, test } from 'vitest';
import { EMPTY, HOSTILE, UNDER_WAY } from '../operator/boards.js';
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
    expect(
      await gate(stage, page, [{ name, address, shows }], () => true),
    ).toEqual([]);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  }
});
