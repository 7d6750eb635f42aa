// `npm test`: from a fresh clone to a verdict, with no other command. Arguments go to the test runner alone.
import { STEPS } from './gate.mjs';
import { runGate } from './run-gate.mjs';

const chosen = process.argv.slice(2);
const quick = STEPS.filter((step) => !step.verifyOnly);
await runGate(
  chosen.length === 0
    ? quick
    : quick.filter(({ name }) => name === 'tests').map((step) => ({ ...step, args: [...step.args, ...chosen] })),
);
