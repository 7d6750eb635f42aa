import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    pool: 'threads',
    // One per core less one is the default, which is one on small machines; most tests wait for processes and disks.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 60_000,
  },
});
