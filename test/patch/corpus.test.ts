import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyPlan } from '../../src/session/patch/apply-plan.js';
import { planPatch } from '../../src/session/patch/plan-patch.js';
import { makeTree, readTree, type Tree } from './tree.js';

type Case = {
  shows: string;
  before: Tree;
  /** Lines, or a text as it is, or a text so many times. `$CWD` is the folder of the case. */
  patch: readonly string[] | string | { begin: string; repeat: string; times: number; end: string };
  /** The whole tree; or what the fault says, with the tree as it was. */
  after?: Tree;
  fault?: readonly string[];
};

const CORPUS = path.join(import.meta.dirname, 'corpus');
const CASES = readdirSync(CORPUS).map((file): [title: string, one: Case] => {
  const one: Case = JSON.parse(readFileSync(path.join(CORPUS, file), 'utf8'));
  return [`${file.replace('.json', '')}: ${one.shows}`, one];
});

let folder: string;
let cwd: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-patch-'));
  cwd = path.join(folder, 'work');
  mkdirSync(cwd);
  // What hostile cases try to reach.
  mkdirSync(path.join(folder, 'outside'));
  writeFileSync(path.join(folder, 'outside/secret.txt'), 'precious\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function textOf({ patch }: Case): string {
  if (typeof patch === 'string') return patch.replaceAll('$CWD', cwd);
  if ('times' in patch) return patch.begin + patch.repeat.repeat(patch.times) + patch.end;
  return patch.join('\n').replaceAll('$CWD', cwd);
}

describe('the corpus', () => {
  test('has at least 60 cases, and at least half of them must fail', () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60);
    expect(CASES.filter(([, { fault }]) => fault).length).toBeGreaterThanOrEqual(CASES.length / 2);
  });
});

describe('a patch that can be applied [R494]', () => {
  test.each(CASES.filter(([, { after }]) => after))('%s', async (_, one) => {
    makeTree(cwd, one.before);
    const untouched = readTree(folder);
    const plan = await planPatch({ text: textOf(one), cwd });
    expect(plan).not.toHaveProperty('fault');
    if ('fault' in plan) return;
    expect(readTree(folder), 'planning writes nothing').toEqual(untouched);

    const kept = JSON.parse(JSON.stringify(plan));
    expect(kept, 'a plan is plain JSON').toEqual(plan);
    expect(await applyPlan(kept, { cwd })).toEqual({ applied: true });
    const expected = path.join(folder, 'expected');
    mkdirSync(expected);
    makeTree(expected, one.after ?? {});
    const applied = readTree(cwd);
    expect(applied).toEqual(readTree(expected));

    expect(await applyPlan(kept, { cwd }), 'a second time').toEqual({ applied: true });
    expect(readTree(cwd)).toEqual(applied);
  });
});

describe('a patch that is refused leaves the tree byte for byte and mode for mode', () => {
  test.each(CASES.filter(([, { fault }]) => fault))('%s', async (_, one) => {
    makeTree(cwd, one.before);
    const untouched = readTree(folder);
    const plan = await planPatch({ text: textOf(one), cwd });
    expect(plan).toHaveProperty('fault');
    for (const part of one.fault ?? []) expect(plan).toMatchObject({ fault: expect.stringContaining(part) });
    expect(readTree(folder)).toEqual(untouched);
  });
});
