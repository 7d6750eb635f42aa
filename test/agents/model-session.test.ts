/** A model as the agent of a job: real jobs, real commands in the real sandbox, a scripted model. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ModelServer, type Step, startModelServer, type Turn } from '../../src/testing/index.js';
import { alive } from '../jobs/alive.js';
import { JobStage } from '../jobs/job-stage.js';

const LONG_MS = 120_000;
const WAIT = { timeout: 60_000, interval: 50 };
const KEY = 'sk-c4nary-0f-the-model-1234567890';
const PROGRAM = fileURLToPath(new URL('../../bin/baton.cjs', import.meta.url));
const MEND = "sed -i 's/a - b/a + b/' add.js";
const CHECK = ['--check', 'node test/add.test.js'];
const PATCH = `*** Begin Patch
*** Update File: add.js
@@
-exports.add = (a, b) => a - b;
+exports.add = (a, b) => a + b;
*** Add File: notes.txt
+It was a minus.
*** End Patch`;

const ADDS = '*** Begin Patch\n*** Add File: more.txt\n+More.\n*** End Patch';

type Scene = { stage: JobStage; model: ModelServer };

async function scene(turns: readonly Turn[], mode = 'bwrap'): Promise<Scene> {
  const model = await startModelServer({ turns });
  onTestFinished(() => model.close());
  const stage = new JobStage();
  stage.configure({ sandbox: { mode }, providers: { openai: { base_url: `${model.url}/v1` } } });
  stage.extra = { OPENAI_API_KEY: KEY };
  await stage.ok('agent', 'register', 'worker', '--adapter', 'model', '--model', 'scripted');
  return { stage, model };
}

const steps = (...given: readonly Step[]): readonly Turn[] => [{ steps: given }];
const says = (action: string, evidence_files: readonly string[] = []): Step => ({
  text: JSON.stringify({ action, evidence_files, summary_for_supervisor: `I say ${action}.` }),
});
const runs = (command: string): Step => ({
  text: 'I look at it.',
  tool_calls: [{ name: 'exec_command', arguments: { command } }],
});
const patches = (input: string): Step => ({ tool_calls: [{ name: 'apply_patch', arguments: { input } }] });
const WORDS = ['run', 'Fix add', '--id', 'j', '--agent', 'worker'];
const run = ({ stage }: Scene, ...more: string[]) => stage.json(...WORDS, '--supervisor', 'none', ...more);
/** Both are really there: the line of whoever starts them names them before. */
const napping = (seconds: string) =>
  vi.waitUntil(() => alive(`sleep ${seconds}`).filter((one) => /^\d+ sleep /.test(one)).length === 2, WAIT);
const made = (printed: object, name: string): string =>
  readFileSync(path.join(String((printed as { workspace: string }).workspace), name), 'utf8');

describe.runIf(process.platform === 'linux')('a model at work on a job', { timeout: LONG_MS }, () => {
  test('runs a command, changes files and answers: the change is on the branch of the job, all of it metered', async () => {
    const here = await scene(
      steps(runs('node test/add.test.js'), patches(PATCH), says('COMPLETED', ['add.js', 'notes.txt'])),
    );
    const { exit, printed } = await run(here, ...CHECK);
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    expect(here.stage.git('show', `${printed.branch}:add.js`)).toContain('a + b');
    expect(here.stage.git('show', `${printed.branch}:notes.txt`)).toBe('It was a minus.');
    const served = here.model.served();
    expect(served).toHaveLength(3);
    const tokens = served.reduce((sum, { tokens: { input, output } }) => sum + input + output, 0);
    expect(printed.metrics).toMatchObject({ tokens });
    const log = (await here.stage.ok('job', 'log', 'j')).out;
    for (const line of [
      'says: I look at it.',
      '$ node test/add.test.js',
      '  exit code 1',
      'changes add.js, notes.txt',
    ]) {
      expect(log).toContain(`: ${line}\n`);
    }
  });

  test('that answers with something else is told so in the same thread, once', async () => {
    const here = await scene([
      { when: { prompt: 'That was refused' }, steps: [says('COMPLETED', ['add.js'])] },
      { steps: [runs(MEND), { text: 'All is well now!' }] },
    ]);
    const { printed } = await run(here, ...CHECK);
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    const served = here.model.served();
    expect(served.map(({ prompts }) => prompts.length)).toEqual([1, 1, 2]);
    expect(served[2]?.replies, 'it sees what it has done').toBeGreaterThan(0);
  });

  test('needs no registration', async () => {
    const here = await scene(steps(runs(MEND), says('COMPLETED', ['add.js'])));
    const { printed } = await here.stage.json('run', 'Fix add', '--agent', 'model', '--supervisor', 'none', ...CHECK);
    expect([printed.status, here.model.served()[0]?.model]).toEqual(['SUCCESS', 'gpt-5-codex']);
  });

  test('that never answers as agreed calls a person', async () => {
    const here = await scene(steps({ text: 'All is well now!' }));
    expect((await run(here)).printed.status).toBe('INTERVENTION_REQUIRED');
  });

  test('as a supervisor runs commands and changes nothing', async () => {
    const here = await scene([
      {
        when: { prompt: 'supervisor-review' },
        steps: [runs('touch made-by-review'), patches(ADDS), says('COMPLETED')],
      },
      { steps: [runs(MEND), says('COMPLETED', ['add.js'])] },
    ]);
    const { printed } = await here.stage.json(...WORDS, '--supervisor', 'worker', ...CHECK);
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    expect(here.stage.git('ls-tree', '--name-only', String(printed.branch))).toBe('add.js\ntest');
    const log = (await here.stage.ok('job', 'log', 'j')).out;
    expect(log).toMatch(/\$ touch made-by-review\n.* exit code 1: .*Read-only file system/);
    expect(log).toContain('told: Not done: the sandbox is read-only');
  });

  test('sees neither the folder of Baton nor a key, and reaches no network', async () => {
    const look = (home: string): string =>
      [
        'env > env.txt; cat /proc/self/environ >> env.txt',
        `ls -a ${home} > home.txt 2>&1; cat ${home}/config.json >> home.txt 2>&1`,
        `cat ${home}/../repo/add.js > repo.txt 2>&1`,
        '(echo > /dev/tcp/127.0.0.1/PORT) 2> net.txt || true',
      ].join('\n');
    const here = await scene([]);
    const port = new URL(here.model.url).port;
    const model = await startModelServer({
      turns: steps(runs(look(here.stage.home).replace('PORT', port)), says('COMPLETED')),
    });
    onTestFinished(() => model.close());
    here.stage.configure({ sandbox: { mode: 'bwrap' }, providers: { openai: { base_url: `${model.url}/v1` } } });
    here.stage.extra = {
      OPENAI_API_KEY: KEY,
      BATON_TOKEN: 'tok-of-baton-123456',
      SOME_SECRET: 's3cret-of-the-user-99',
    };
    const { printed } = await run(here);
    const seen = made(printed, 'env.txt');
    expect(seen).toContain('PATH=');
    expect(seen, 'it carries the marker of the ask').toContain('BATON_HANDOFF=j/h1/1\n');
    for (const secret of [KEY, 'sk-baton', 'tok-of-baton', 's3cret-of-the-user']) expect(seen).not.toContain(secret);
    expect(made(printed, 'home.txt')).not.toMatch(/config\.json\n|sandbox/);
    expect(made(printed, 'repo.txt')).not.toContain('a - b');
    expect(made(printed, 'net.txt')).toMatch(/refused|unreachable/i);
  });

  test('is stopped in the middle of a turn when its job may spend no more', async () => {
    const endless = { text: 'word '.repeat(40_000), delta_chars: 50, delta_delay_ms: 1 };
    const here = await scene(steps(runs('true'), endless));
    const { exit, printed } = await run(here, '--max-tokens', '20000');
    expect([exit, printed.status]).toEqual([4, 'HALTED_COST']);
    const { tokens } = printed.metrics as { tokens: number };
    expect(tokens).toBeGreaterThanOrEqual(20_000);
    expect(tokens).toBeLessThan(21_000);
    expect(here.model.served().map(({ complete }) => complete)).toEqual([true, false]);
  });

  test('is called off in the middle of a command: its whole tree has ended', async () => {
    const here = await scene(steps(runs('setsid sleep 302.17 & sleep 302.17')));
    const ended = run(here);
    await napping('302.17');
    await here.stage.ok('job', 'cancel', 'j');
    expect((await ended).printed.status).toBe('CANCELED');
    expect(alive('sleep 302.17')).toEqual([]);
  });

  test('whose time is up in the middle of a command is ended with it', async () => {
    const here = await scene(steps(runs('sleep 302.19')));
    const { printed } = await run(here, '--timeout-seconds', '5');
    expect([printed.status, printed.reason]).toEqual([
      'INTERVENTION_REQUIRED',
      expect.stringContaining('did not answer in time'),
    ]);
    expect(alive('sleep 302.19')).toEqual([]);
  });

  test('where no sandbox holds runs no command, and still changes files', async () => {
    const here = await scene(
      steps(runs('touch ran'), patches(PATCH), says('COMPLETED', ['add.js', 'notes.txt'])),
      'none',
    );
    const { printed } = await run(here, ...CHECK);
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    expect(here.stage.git('ls-tree', '--name-only', String(printed.branch))).toBe('add.js\nnotes.txt\ntest');
    expect((await here.stage.ok('job', 'log', 'j')).out).toContain('no sandbox holds here');
  });

  test('keeps to the rules of the user for the repository', async () => {
    const here = await scene(steps(runs('rsync --version'), runs(MEND), says('COMPLETED', ['add.js'])));
    await here.stage.ok('rule', 'add', 'deny', 'rsync');
    expect((await run(here, ...CHECK)).printed.status).toBe('SUCCESS');
    expect((await here.stage.ok('job', 'log', 'j')).out).toMatch(/told: Not done: .*rsync/);
  });
});

test('a model over another wire judges by the request alone, as before', { timeout: LONG_MS }, async () => {
  const here = await scene(steps(says('COMPLETED')));
  await here.stage.ok('agent', 'register', 'worker', '--adapter', 'model', '--wire', 'chat', '--model', 'scripted');
  expect((await run(here)).printed.status).toBe('SUCCESS');
  expect(here.model.served().map(({ wire, stream }) => [wire, stream])).toEqual([['chat', false]]);
});

describe.runIf(process.platform === 'linux')(
  'Baton, killed while a command of the model runs',
  { timeout: LONG_MS },
  () => {
    test('leaves nothing of it to whoever takes over; the ask is lost and asked again', async () => {
      const turns: Turn[] = [{ steps: [runs('setsid sleep 302.23 & sleep 302.23')] }];
      const here = await scene(turns);
      const { stage } = here;
      const env = { ...process.env, BATON_HOME: stage.home, OPENAI_API_KEY: KEY, NO_COLOR: '1' };
      const words = [...WORDS, '--supervisor', 'none', ...CHECK];
      const baton = spawn(process.execPath, [PROGRAM, ...words], { cwd: stage.repo, env, stdio: 'ignore' });
      onTestFinished(() => void baton.kill('SIGKILL'));
      await napping('302.23');
      baton.kill('SIGKILL');
      await new Promise((resolve) => baton.once('exit', resolve));
      turns[0] = { steps: [runs(MEND), says('COMPLETED', ['add.js'])] };
      const { printed } = await stage.json('job', 'run', 'j');
      expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
      expect(alive('sleep 302.23')).toEqual([]);
      expect(stage.git('show', `${printed.branch}:add.js`)).toContain('a + b');
      const { out } = await stage.ok('events', '--run', 'j');
      expect(out).toMatch(/HandoffEnded .*attempt=1 .*cause=lost/);
      expect(out).toMatch(/HandoffAsked .*attempt=2 /);
      const served = here.model.served().map(({ replies }) => replies > 0);
      expect(served, 'it begins anew').toEqual([false, false, true]);
    });
  },
);
