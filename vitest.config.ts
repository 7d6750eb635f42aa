import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Harnesses that kill whole Batons and plant bugs take minutes: npm run faults, npm run mutants.
    exclude: [...configDefaults.exclude, 'test/faults/!(processes)/**', 'test/simulation/mutants.test.ts'],
    pool: 'threads',
    testTimeout: 60_000,
  },
});
