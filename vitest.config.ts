import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.js';

/** What drives real programs, sockets and browsers. */
const REAL = [
  'agents',
  'bridge/real',
  'browser',
  'client',
  'console',
  'envelopes/real',
  'jobs',
  'ledgers',
  'notify',
  'operations',
  'remote',
  'sandbox',
  'server',
  'toolbox',
  'workspace',
];
const real = REAL.map((folder) => `test/${folder}/**/*.test.ts`);
/** These draw other values each time: to try again would hide what was found. */
const drawn = '**/*.property.test.ts';

export default defineConfig({
  test: {
    // Each file in a process of its own: to start a program, a process that has seen hundreds of files takes four times as long.
    pool: 'forks',
    testTimeout: 60_000,
    // Most of them wait for programs: two at once keep two cores busy.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...real],
        },
      },
      // On two noisy cores a real program may be late once. What passes only the second time is marked in the report.
      { extends: true, test: { name: 'real', include: real, exclude: [drawn], retry: 1 } },
      { extends: true, test: { name: 'drawn', include: REAL.map((folder) => `test/${folder}/**/*.property.test.ts`) } },
    ],
  },
});
