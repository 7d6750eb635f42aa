import { expect, test } from 'vitest';
import type { JobObject } from '../../contracts/api/job-shapes.js';
import type { LiveJob } from '../../core/job/job-state.js';
import { NOTHING_SPENT } from '../../core/kernel/budget.js';
import { nextStep } from './job-view.js';

const USD = 1_000_000;
const MINUTE = 60_000;

test.each([
  ['HALTED_COST', { costMicroUsd: USD }, { costMicroUsd: 5.1 * USD }, '--max-cost 7'],
  ['HALTED_COST', { costMicroUsd: 2 * USD }, { costMicroUsd: 2 * USD }, '--max-cost 4'],
  ['HALTED_COST', { tokens: 1_000 }, { tokens: 9_000 }, '--max-tokens 10000'],
  ['HALTED_COST', { costMicroUsd: USD, tokens: 5 }, { costMicroUsd: USD, tokens: 5 }, '--max-cost 2 --max-tokens 10'],
  ['HALTED_TIME', { activeMs: MINUTE }, { activeMs: 30 * MINUTE }, '--max-time 31m'],
  ['HALTED_TIME', { activeMs: 1_000 }, { activeMs: 1_000 }, '--max-time 1m'],
])('a job that is %s with limits %j after %j is raised above what it spent: %s', (status, limits, spent, option) => {
  const job = { status, stage: { name: 'resting' }, order: { limits }, spent: { ...NOTHING_SPENT, ...spent } };
  const { next } = nextStep({ job_id: 'j', waiting_for: 1 } as JobObject, job as LiveJob, false);
  expect(next).toBe(`baton job raise j ${option}`);
});
