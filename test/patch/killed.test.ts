import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyPlan, endPlan } from '../../src/session/patch/apply-plan.js';
import { buildProgram, createStage, runProgram, type Stage, textAt } from './stage.js';

let here: Stage;
beforeEach(() => {
  here = createStage();
});
afterEach(() => here.close());

/** Folders that the killed attempt made stay when it is put back: nobody knows any more whose they are. */
function withoutFolders(tree: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).filter(([, what]) => !what.startsWith('folder')));
}

test('killed at any step, the next attempt applies all of it', { timeout: 300_000 }, async () => {
  const program = await buildProgram(here, { mortal: true });
  const plan = await here.plan();
  const seen = new Set<string>();
  let killAt = 1;
  const wholes = new Set<boolean>();
  let finished = 0;
  for (; ; killAt += 1) {
    here.renew();
    const { signal, said } = runProgram(program, here, plan, { killAt });
    if (signal === null) {
      expect(said).toEqual({ applied: true });
      break;
    }
    seen.add(JSON.stringify(here.tree()));
    here.keep();
    expect(await applyPlan(plan, { cwd: here.cwd }), `killed at step ${killAt}`).toEqual({ applied: true });
    expect(here.tree(), `killed at step ${killAt}`).toEqual(here.after);

    here.restore();
    await endPlan(plan, { cwd: here.cwd });
    const isWhole = JSON.stringify(here.tree()) === JSON.stringify(here.after);
    if (!isWhole) expect(withoutFolders(here.tree()), `called off at ${killAt}`).toEqual(withoutFolders(here.before));
    wholes.add(isWhole);
    await endPlan(plan, { cwd: here.cwd });
    expect(JSON.stringify(here.tree()) === JSON.stringify(here.after)).toBe(isWhole);

    here.restore();
    writeFileSync(here.at('a.txt'), 'somebody else\n');
    const outcome = await applyPlan(plan, { cwd: here.cwd });
    if (outcome.applied) finished += 1;
    else expect(outcome.reason).toContain('a.txt has changed since');
    const { 'a.txt': _, ...others } = outcome.applied ? here.after : here.before;
    const { 'a.txt': __, ...now } = here.tree();
    expect(textAt(here, 'a.txt')).toBe('somebody else\n');
    expect(withoutFolders(now), `killed at step ${killAt}, then changed`).toEqual(withoutFolders(others));
  }
  // Only kills while it was cleaning up come after the end.
  expect(finished).toBeLessThan(killAt / 3);
  expect(killAt).toBeGreaterThan(50);
  // What was called off is put back until it is done as a whole.
  expect(wholes.size).toBe(2);
  // Not all of these kills hit the same moment.
  expect(seen.size).toBeGreaterThan(15);
});
