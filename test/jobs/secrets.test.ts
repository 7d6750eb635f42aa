import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 60_000;
const SECRET = 'c4nary-0f-the-included-file-77';

test('what .worktreeinclude brings is used by agents and stored nowhere [R115]', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  stage.write('.gitignore', '.env\n');
  stage.write('.worktreeinclude', '.env\n');
  stage.write('.env', `APP_TOKEN=${SECRET}\n`);
  stage.commit('settings');
  const told = prints({ ...ANSWERS.retry, summary_for_supervisor: `The token is ${SECRET}, I think.` });
  // The first process brings it, the second only goes on.
  await stage.shell(
    'worker',
    `cat .env >&2\nif [ "$BATON_HANDOFF" = j/h1/1 ]; then ${told}\nelse echo "$(cat .env)" > out.txt\n${told}\nfi`,
  );
  await stage.cli('job', 'create', 'Work', '--id', 'j', '--agent', 'worker', '--supervisor', 'none', '--activate');
  await stage.cli('job', 'step', 'j');
  await stage.cli('job', 'step', 'j');
  const history = await stage.history('j');
  expect(history.map(({ response }) => response.action)).toEqual(['RETRY', 'RETRY']);
  expect(JSON.stringify(history)).toContain('The token is');
  const found = spawnSync('grep', ['-rlaF', SECRET, stage.home, '--exclude-dir=workspace'], { encoding: 'utf8' });
  expect([found.status, found.stdout]).toEqual([1, '']);
});
