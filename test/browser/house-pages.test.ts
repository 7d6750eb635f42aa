import { expect, test } from 'vitest';
import { type GatedPage, gate } from './page-gate.js';
import { houseOfWork } from './seeded-jobs.js';
import { SeededStage } from './seeded-stage.js';

/** Pages about all the work there is. */
const PAGES: readonly GatedPage[] = [
  { name: 'runs', address: '/runs', shows: 'Rows keep their place' },
  { name: 'search', address: '/runs', shows: 'Fix the flaky ledger test', press: '/' },
  { name: 'keys', address: '/runs', shows: 'Fix the flaky ledger test', press: '?' },
  { name: 'new-job', address: '/runs?new=1', shows: 'such jobs cost' },
  { name: 'jobs', address: '/jobs', shows: 'Type the public SDK errors' },
  { name: 'costs', address: '/costs', shows: '90th percentile' },
  { name: 'audit', address: '/audit', shows: 'Intact.' },
  { name: 'system', address: '/system', shows: 'Store and server' },
  { name: 'token', address: '/system?token=1', shows: 'Make the token' },
];
const MAIN = ['runs', 'jobs', 'costs'];

function isKept(name: string, theme: string, width: number): boolean {
  return theme === 'dark' ? width === 1440 : MAIN.includes(name);
}

test('pages of the whole house stand before axe, in both themes and at both widths', {
  timeout: 600_000,
}, async () => {
  const stage = new SeededStage();
  await stage.seed(houseOfWork(Date.now()));
  await stage.start();
  await stage.atWork();
  await stage.jobs.ok('token', 'create', '--name', 'mira', '--role', 'steward');
  const { page } = await stage.logIn();
  expect(await gate(stage, page, PAGES, isKept)).toEqual([]);
});
