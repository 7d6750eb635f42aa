// `npm run verify`: the whole gate.
import { STEPS } from './gate.mjs';
import { runGate } from './run-gate.mjs';

await runGate(STEPS);
