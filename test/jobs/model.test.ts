import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { startModelServer } from '../../src/testing/index.js';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 60_000;
const KEY = 'sk-c4nary-0f-the-model-service-1234567890';

test('a model reviews what a command did; a malformed answer is repaired once', { timeout: LONG_MS }, async () => {
  const good = { text: JSON.stringify(ANSWERS.completed), usage: { input: 2000, output: 50 } };
  const server = await startModelServer({
    turns: [
      { when: { prompt: 'That was refused' }, steps: [good] },
      { steps: [{ text: 'Looks good to me!', usage: { input: 1500, output: 40 } }] },
    ],
  });
  onTestFinished(() => server.close());
  const stage = new JobStage();
  stage.extra = { OPENAI_API_KEY: KEY };
  const fixes = prints({ ...ANSWERS.completed, evidence_files: ['add.js'] });
  await stage.shell('worker', `sed -i 's/a - b/a + b/' add.js\n${fixes}`);
  await stage.ok(
    ...['agent', 'register', 'critic', '--adapter', 'model', '--model', 'scripted', '--base-url', `${server.url}/v1`],
  );
  const words = ['--agent', 'worker', '--supervisor', 'critic', '--check', 'node test/add.test.js'];
  const run = await stage.json('run', 'Fix add', '--id', 'j', ...words);
  expect([run.exit, run.printed.status]).toEqual([0, 'SUCCESS']);
  expect(run.printed.metrics).toMatchObject({ tokens: 3590 });
  expect(server.served()).toHaveLength(2);
  const found = spawnSync('grep', ['-rlaF', KEY, stage.folder], { encoding: 'utf8' });
  expect([found.status, found.stdout], 'the key is stored nowhere').toEqual([1, '']);
});
