/** Applies one plan, as another process would; says how it went. */
import { readFileSync } from 'node:fs';
import { applyPlan } from '../../src/session/patch/apply-plan.js';

const { plan, cwd } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
console.log(JSON.stringify(await applyPlan(plan, { cwd })));
