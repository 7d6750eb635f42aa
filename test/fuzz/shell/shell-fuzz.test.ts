import { describe, expect, test } from 'vitest';
import { createShellReader } from '../../../src/sandbox/shell/create-shell-reader.js';
import { PLANTED_SHELL_BUGS } from './planted-bugs.js';
import { batonShell, fuzzShell, type ShellReport } from './shell-fuzz.js';

const subject = batonShell(await createShellReader());
const SHORT_RUN = 6_000;
const FIXED_SEED = 20_261_115;
const FRESH_SEED = Date.now() % 2 ** 31;

describe('whatever line is thrown at it, the policy', () => {
  test.each([
    ['a fixed seed', FIXED_SEED],
    ['a fresh seed', FRESH_SEED],
  ])('keeps its promises with %s', (_about, seed) => {
    const report: ShellReport = fuzzShell(subject, { seed, inputs: SHORT_RUN });
    console.log(JSON.stringify(report));
    expect(report.failure, `again: npm run fuzz -- --shell --seed ${seed}`).toBeUndefined();
    expect(report.understood, 'lines must be understood, else nothing is judged').toBeGreaterThan(500);
    expect(Object.keys(report.refused).length, 'and must not be for many reasons').toBeGreaterThanOrEqual(8);
    expect(Object.keys(report.decisions)).toHaveLength(3);
  });
});

describe('the harness catches a planted bug within the short run:', () => {
  test.each(Object.entries(PLANTED_SHELL_BUGS))('%s', (_name, plant) => {
    const { failure } = fuzzShell(plant(subject), { seed: FIXED_SEED, inputs: SHORT_RUN });
    expect(failure?.complaint).toEqual(expect.any(String));
    expect(failure?.smallest.length).toBeLessThanOrEqual(failure?.line.length ?? 0);
  });
});
