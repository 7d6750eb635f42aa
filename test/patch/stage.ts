import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import type { PatchPlan } from '../../src/session/patch/patch-plan.js';
import { planPatch } from '../../src/session/patch/plan-patch.js';
import { makeTree, readTree, type Tree } from './tree.js';

/** One of each kind, in several folders. */
export const BEFORE: Tree = {
  'a.txt': 'one\ntwo\nthree\n',
  'run.sh': { text: 'echo one\n', mode: '755' },
  'd/gone.txt': 'gone\n',
  'd/moves.txt': { text: 'stays\nchanges\n', mode: '640' },
  'd/other.txt': 'untouched\n',
};

export const PATCH = [
  '*** Begin Patch',
  '*** Update File: a.txt',
  '@@',
  ' one',
  '-two',
  '+TWO',
  '*** Add File: new/deep/b.txt',
  '+b',
  '*** Delete File: d/gone.txt',
  '*** Update File: d/moves.txt',
  '*** Move to: new/moved.txt',
  '@@',
  '-changes',
  '+changed',
  '*** Update File: run.sh',
  '@@',
  '-echo one',
  '+echo two',
  '*** End Patch',
].join('\n');

const AFTER: Tree = {
  'a.txt': 'one\nTWO\nthree\n',
  'run.sh': { text: 'echo two\n', mode: '755' },
  'd/other.txt': 'untouched\n',
  'new/deep/b.txt': 'b\n',
  'new/moved.txt': { text: 'stays\nchanged\n', mode: '640' },
};

export type Stage = ReturnType<typeof createStage>;

/** A folder with the files of BEFORE, what it looks like, and what it must look like after PATCH. */
export function createStage() {
  const root = mkdtempSync(path.join(os.tmpdir(), 'baton-patch-'));
  chmodSync(root, 0o755);
  const cwd = path.join(root, 'work');
  const renew = () => {
    rmSync(cwd, { recursive: true, force: true });
    mkdirSync(cwd);
    makeTree(cwd, BEFORE);
  };
  renew();
  mkdirSync(path.join(root, 'after'));
  makeTree(path.join(root, 'after'), AFTER);
  return {
    root,
    cwd,
    renew,
    at: (name: string) => path.join(cwd, name),
    tree: () => readTree(cwd),
    before: readTree(cwd),
    after: readTree(path.join(root, 'after')),
    plan: async (text = PATCH): Promise<PatchPlan> => {
      const plan = await planPatch({ text, cwd });
      if ('fault' in plan) throw new Error(plan.fault);
      return plan;
    },
    keep: () => copy(cwd, path.join(root, 'kept')),
    restore: () => copy(path.join(root, 'kept'), cwd),
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** With second names as they are: cp keeps them, Node's own copy does not. */
function copy(from: string, to: string): void {
  rmSync(to, { recursive: true, force: true });
  execFileSync('cp', ['-a', from, to]);
}

/** The program that applies a plan, in one file; `mortal` can be killed at any step. */
export async function buildProgram({ root }: Stage, { mortal }: { mortal: boolean }): Promise<string> {
  const outfile = path.join(root, mortal ? 'mortal.mjs' : 'program.mjs');
  const files = path.join(import.meta.dirname, 'mortal-files.ts');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'apply-program.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: mortal ? { 'node:fs/promises': files } : {},
  });
  return outfile;
}

type Outcome = { signal: NodeJS.Signals | null; said: unknown };

export function runProgram(
  program: string,
  stage: Stage,
  plan: PatchPlan,
  options: { killAt?: number; uid?: number } = {},
): Outcome {
  const orders = path.join(stage.root, 'orders.json');
  writeFileSync(orders, JSON.stringify({ plan, cwd: stage.cwd }));
  const { uid, killAt } = options;
  const { signal, stdout, stderr } = spawnSync(process.execPath, [program, orders], {
    encoding: 'utf8',
    env: { ...process.env, BATON_KILL_AT: String(killAt ?? 0) },
    ...(uid !== undefined && { uid, gid: uid }),
  });
  if (signal === null && stdout === '') throw new Error(stderr);
  return { signal, said: signal === null ? JSON.parse(stdout) : undefined };
}

export function textAt(stage: Stage, name: string): string {
  return readFileSync(stage.at(name), 'utf8');
}
