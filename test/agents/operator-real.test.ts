import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { PlanTask } from '../../src/contracts/generated/types/plan.js';
import type { Step, Turn } from '../../src/testing/index.js';
import type { JobStage } from '../jobs/job-stage.js';
import { prints } from '../jobs/job-stage.js';
import { doneResult, planOf, planTask } from '../operator/plans.js';
import { realStage, runs } from './real-stage.js';

const RUN = '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4';
const LONG_MS = 240_000;
const FOLDER = planTask('T-1', { agent: 'codex', lock_scope: ['src'] });
const FILE = planTask('T-2', { agent: 'claude', lock_scope: ['src/names.js'], priority: 'low' });
const BOTH = planTask('T-3', { agent: 'shell', lock_scope: ['docs/', 'src/names.js'], dependencies: ['T-2'] });
const NAME = 'echo "exports.name = \'claude\';" >src/names.js';
const PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: src/sum.js\n+exports.sum = 3;\n*** End Patch\nEOF";

test('codex, claude and a command share the work of one run', { timeout: LONG_MS }, async () => {
  const { stage, model } = await realStage([
    turn(FOLDER, [runs('codex', PATCH), runs('codex', noted(FOLDER, 'codex'))], 'src/sum.js'),
    turn(
      FILE,
      // Its own tool puts a new file in the place of the old one, which fails for a single file; that is no violation.
      [written('src/names.js'), runs('claude', NAME), runs('claude', noted(FILE, 'claude'))],
      'src/names.js',
    ),
  ]);
  const steps = ['mkdir -p docs', 'cp src/names.js docs/names.txt', "echo 'exports.more = 1;' >>src/names.js"];
  const said = prints(doneResult(RUN, BOTH, 'docs/names.txt', 'src/names.js'));
  await stage.shell('shell', [...steps, noted(BOTH, 'shell'), said].join('\n'));
  const plan = path.join(stage.folder, 'plan.json');
  writeFileSync(plan, JSON.stringify(planOf(RUN, FOLDER, FILE, BOTH)));
  const before = stage.checkout();

  const { exit, printed } = await stage.json('operator', 'run', plan, '--concurrency', '3');
  expect([exit, printed.status, printed.blockers, printed.active_locks]).toEqual([0, 'done', [], []]);
  expect(printed.tasks).toMatchObject([
    { task_id: 'T-1', status: 'done', owner: 'codex', attempt: 1 },
    { task_id: 'T-2', status: 'done', owner: 'claude', attempt: 1 },
    { task_id: 'T-3', status: 'done', owner: 'shell', attempt: 1 },
  ]);
  expect(changedBy(stage)).toEqual({
    'T-1': ['src/sum.js'],
    'T-2': ['src/names.js'],
    'T-3': ['docs/names.txt', 'src/names.js'],
  });
  expect(stage.git('show', `baton/${RUN}:src/sum.js`)).toBe('exports.sum = 3;');
  expect(stage.git('show', `baton/${RUN}:docs/names.txt`)).toBe("exports.name = 'claude';");
  expect(stage.git('show', `baton/${RUN}:src/names.js`)).toBe("exports.name = 'claude';\nexports.more = 1;");
  expect(stage.checkout()).toBe(before);

  for (const { task_id, agent = '' } of [FOLDER, FILE, BOTH]) {
    const { items } = (await stage.json('operator', 'worklog', RUN, task_id)).printed as { items: { actor: string }[] };
    expect(
      items.map(({ actor }) => actor),
      task_id,
    ).toContain(agent);
  }
  const { items } = (await stage.json('cost', '--by', 'run')).printed as { items: { key: string; tokens: number }[] };
  const counted = (of: string) =>
    model.served().reduce((sum, { wire, tokens }) => sum + (wire === of ? tokens.input + tokens.output : 0), 0);
  const metered = Object.fromEntries(items.map(({ key, tokens }) => [key, tokens]));
  expect(metered[`${RUN}.T-1.1`]).toBe(counted('responses'));
  expect(metered[`${RUN}.T-2.1`]).toBe(counted('messages'));
  expect(metered[`${RUN}.T-1.1`]).toBeGreaterThan(0);
  expect(metered[`${RUN}.T-2.1`]).toBeGreaterThan(0);
});

/** What the model says to whoever is asked for this task. */
function turn(task: PlanTask, steps: readonly Step[], ...files: readonly string[]): Turn {
  const done = { text: JSON.stringify(doneResult(RUN, task, ...files)) };
  return { when: { prompt: `"task_id": "${task.task_id}"` }, steps: [...steps, done] };
}

function written(file_path: string): Step {
  return { text: 'I write it.', tool_calls: [{ name: 'Write', arguments: { file_path, content: 'not yet' } }] };
}

/** Appends an entry to the worklog, as agents are told. */
function noted({ task_id, lock_scope }: PlanTask, actor: string): string {
  const entry = {
    ...{ timestamp: '2026-01-01T00:00:00.000Z', run_id: RUN, task_id, actor, action: 'write' },
    ...{ files_touched: lock_scope, decision: 'as told', result: 'written', next_step: 'none' },
  };
  return `echo '${JSON.stringify(entry)}' >>"$BATON_WORKLOG"`;
}

function changedBy(stage: JobStage): Record<string, string[]> {
  const format = '--format=%x00%(trailers:key=Baton-Task,valueonly,separator=%x20)';
  const commits = stage.git('log', '--name-only', format, `main..baton/${RUN}`).split('\0').slice(1);
  return Object.fromEntries(
    commits.map((text) => {
      const [task = '', ...files] = text.split('\n').filter(Boolean);
      return [task, files.sort()];
    }),
  );
}
