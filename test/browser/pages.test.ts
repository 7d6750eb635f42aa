import { expect, test } from 'vitest';
import { ConsoleStage } from './console-stage.js';
import { type GatedPage, gate } from './page-gate.js';

const PAGES: readonly GatedPage[] = [
  { name: 'inbox', address: '/inbox', shows: 'oldest first' },
  { name: 'inbox-stuck', address: '/inbox/2', shows: 'What each answer does' },
  { name: 'run', address: '/runs/sum-fix', shows: 'Last events' },
  { name: 'run-reviewed', address: '/runs/review-twice', shows: 'Last events' },
  { name: 'run-changes', address: '/runs/sum-fix?tab=changes', shows: 'exports.add' },
  { name: 'run-evidence', address: '/runs/sum-fix?tab=evidence', shows: 'hashed when the answer came' },
  { name: 'run-log', address: '/runs/hostile?tab=log', shows: 'gnp.exe' },
  { name: 'run-events', address: '/runs/sum-fix?tab=events', shows: 'JobSubmitted' },
  { name: 'run-manifest', address: '/runs/sum-fix?tab=manifest', shows: 'current_phase' },
  { name: 'login', address: '/login', shows: 'A link logs a browser in' },
];
const MAIN = ['inbox', 'inbox-stuck', 'run'];

/** All pages once, and those that matter most in the other theme and at both widths. */
function isKept(name: string, theme: string, width: number): boolean {
  return theme === 'dark' ? width === 1440 : MAIN.includes(name);
}

test('every page stands before axe, in both themes and at both widths', { timeout: 600_000 }, async () => {
  const stage = new ConsoleStage();
  await stage.start();
  await stage.fill();
  const { page } = await stage.logIn();
  expect(await gate(stage, page, PAGES, isKept)).toEqual([]);
});
