// The steps of the gate as data; those that are `beside` the one before them run at the same time as it does. `npm test` runs those a checkout must pass; `npm run verify` adds what takes longer.
export const STEPS = [
  { name: 'format and lint', args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'] },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '--noEmit'], beside: true },
  {
    ...{ name: 'types of the console', beside: true },
    args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'src/console'],
  },
  { name: 'dead code', args: ['node_modules/knip/bin/knip.js'], beside: true },
  { name: 'agents for tests', args: ['tools/test-agents.mjs'] },
  { name: 'browser for tests', args: ['tools/test-browser.mjs'], beside: true },
  { name: 'tests', args: ['node_modules/vitest/vitest.mjs', 'run'] },
  { name: 'examples', args: ['examples/validate-payloads.mjs'] },
  { name: 'first job', args: ['examples/first-job/first-job.mjs'] },
  { name: 'packed tarball', args: ['test/package/packed-tarball.mjs'], verifyOnly: true },
  { name: 'fuzz, 200,000 inputs', args: ['tools/fuzz.mjs', '--inputs', '200000'], verifyOnly: true },
  { name: 'agreement, 100,000 packets', args: ['tools/agree.mjs'], verifyOnly: true },
  { name: 'simulation, 2,000 seeds', args: ['tools/simulate.mjs', '--seeds', '2000'], verifyOnly: true },
  { name: 'planted bugs', args: ['tools/mutants.mjs'], verifyOnly: true },
  { name: 'kill -9, 30 times', args: ['tools/faults.mjs', 'kill', '--kills', '30'], verifyOnly: true },
  { name: 'benchmark smoke', args: ['tools/bench.mjs', 'validate', '--rounds', '3'], verifyOnly: true },
];
