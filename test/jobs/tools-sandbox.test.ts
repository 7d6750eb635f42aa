import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { orThrow } from '../../src/engine/dispatch.js';
import { sealBody } from '../../src/engine/seal.js';
import { openBaton } from '../../src/wiring.js';
import { ANSWERS, JobStage } from './job-stage.js';

const LONG_MS = 60_000;
const ORDER = {
  ...{ title: 'errand', agent: 'agent', steps: 1, retriesMax: 0, stepTimeoutMs: LONG_MS, limits: {}, rank: 0 },
  ...{ after: null, review: false, report: null },
};

/** Runs a shell script as the command of a machine, which is the check of an errand. */
async function runTool(stage: JobStage, cwd: string, script: string): Promise<void> {
  await stage.scripted('agent', [{ answer: ANSWERS.completed }]);
  const { home, repo, path: PATH } = stage;
  const baton = await openBaton({ home, env: { PATH }, cwd: repo, writer: 'main', drives: true });
  onTestFinished(() => baton.close());
  const { ref: request, body } = sealBody(baton, 'work');
  const check = { argv: ['bash', '-c', script], cwd };
  const submit = { type: 'Submit', atMs: baton.clock.nowMs(), ...ORDER, request, check };
  orThrow(await baton.engine.create('errand', 'errand', submit, { actor: 'anna', bodies: [body] }));
  const rest = baton.engine.rested('errand');
  await baton.engine.drive('errand');
  await rest;
}

function stageWith(mode: 'bwrap' | 'none') {
  const stage = new JobStage();
  stage.configure({ sandbox: { mode } });
  writeFileSync(path.join(stage.home, 'token'), 'c4nary', { mode: 0o600 });
  const folder = path.join(stage.folder, 'tool');
  mkdirSync(folder);
  const acts = [`grep c4nary ${stage.home}/token`, `ls ${stage.repo}/add.js`, `echo x > ${stage.folder}/planted`];
  return { stage, folder, script: acts.map((act) => `(${act}) && echo "${act}" >> did`).join('; ') };
}

test.each([
  ['bwrap', 1],
  ['none', 4],
] as const)(
  'a tool under %s changes its own folder and does %i of the acts',
  { timeout: LONG_MS },
  async (mode, acts) => {
    const { stage, folder, script } = stageWith(mode);
    await runTool(stage, folder, `echo own > did; ${script}; true`);
    // What is written to the private /tmp succeeds inside and is not there outside.
    const did = readFileSync(path.join(folder, 'did'), 'utf8').split('\n').filter(Boolean);
    const outside = did.filter((act) => !act.includes('planted') || existsSync(path.join(stage.folder, 'planted')));
    expect(outside).toHaveLength(acts);
  },
);

test.each([
  ['', '.'],
  [', by another name', 'tool/link'],
])('a tool in a folder that holds a home does not get that home%s', { timeout: LONG_MS }, async (_, name) => {
  const { stage } = stageWith('bwrap');
  symlinkSync(stage.folder, path.join(stage.folder, 'tool/link'));
  const script = 'echo x > planted; grep -q c4nary home/token && echo x > home/planted; true';
  await runTool(stage, path.join(stage.folder, name), script);
  expect([stage.folder, stage.home].map((one) => existsSync(path.join(one, 'planted')))).toEqual([false, false]);
});

test('a tool finds nothing of Baton laid into its folder', { timeout: LONG_MS }, async () => {
  const { stage, folder } = stageWith('bwrap');
  await runTool(stage, folder, 'ls -A > seen; true');
  expect(readFileSync(path.join(folder, 'seen'), 'utf8')).toBe('seen\n');
});
