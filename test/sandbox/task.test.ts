/** What the agent of a task can do to its workspace from inside a real sandbox, and what of it is found out. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PlanTask } from '../../src/contracts/generated/types/plan.js';
import { chooseSandbox } from '../../src/sandbox/choose-sandbox.js';
import { spawnGated } from '../../src/sandbox/spawn-gated.js';
import { Confinements, type ForbiddenScope } from '../../src/workspace/confinement.js';
import { jobFolder } from '../../src/workspace/job-folder.js';
import { worklogOf } from '../../src/workspace/workspace-record.js';
import { TaskStage } from '../workspace/task-stage.js';
import { PATH } from './scene.js';

let stage: TaskStage;
/** Unlike the folder for temporary files, this one is seen inside. */
let seen: string;
beforeEach(() => {
  seen = mkdtempSync(path.join(import.meta.dirname, '.seen-'));
  vi.stubEnv('TMPDIR', seen);
  stage = new TaskStage().commitFirst() as TaskStage;
  vi.unstubAllEnvs();
  stage.write('secret/key.txt', 'forbidden\n');
  stage.write('a file.txt', 'x\n');
  stage.write('line\nbreak.txt', 'x\n');
  stage.git('add', '.');
  stage.git('commit', '-q', '-m', 'more');
});
afterEach(() => rmSync(seen, { recursive: true, force: true }));

type Act = { forbidden?: ForbiddenScope; sandbox?: 'read-only' | 'workspace-write' };

/** As an agent that is a script. */
async function act(script: string, { forbidden = 'read-only', sandbox = 'workspace-write' }: Act = {}) {
  const confinements = new Confinements(stage.home, {
    choose: () => chooseSandbox('bwrap', PATH),
    networkOf: async () => [],
    setupRights: async () => 'workspace-write',
    forbiddenScope: async () => forbidden,
  });
  const argv = ['sh', '-c', script];
  const held = await confinements.agent(stage.run, { argv, sandbox });
  if (!held) throw new Error('nothing holds');
  const worklog = worklogOf(jobFolder(stage.home, stage.run)) ?? '';
  const spawned = await spawnGated({
    ...{ gate: stage.gate, ...stage.held, handoff: 'ask-1', attempt: 1, argv, cwd: stage.workspace },
    env: { PATH, BATON_WORKLOG: worklog },
    signal: stage.abort.signal,
    confined: held.confined,
  });
  if (spawned.type !== 'started') throw new Error(JSON.stringify(spawned));
  const { exitCode } = await spawned.process.ended;
  await held.end();
  return { exitCode, out: spawned.process.stdout.text(), said: spawned.process.stderr.text() };
}

const scoped = (...lock_scope: [string, ...string[]]): PlanTask =>
  stage.spec({ lock_scope, forbidden_scope: ['secret'] });

describe.runIf(process.platform === 'linux')('the agent of a task', () => {
  test('works inside its scope, with files and folders, and appends to its worklog', async () => {
    const spec = scoped('src', 'a file.txt', 'line/', 'new/deep/one.ts', 'docs/');
    await stage.begun(spec, { worklog: stage.entry() });
    const script = [
      'echo x > src/b.txt && mkdir -p src/deep && echo x > src/deep/new && rm src/b.txt && mv src/deep src/moved',
      'echo y > "a file.txt"',
      'echo code > new/deep/one.ts',
      'echo text > docs/index.md',
      'ls -A > /dev/null && git status --short > /dev/null && git log --oneline > /dev/null',
      `echo '${stage.entry({ action: 'worked' })}' >> "$BATON_WORKLOG"`,
    ].join(' && ');
    expect(await act(script)).toMatchObject({ exitCode: 0, said: '' });
    const { outcome, worklog, changed } = await stage.hand(spec);
    expect(outcome).toEqual({ status: 'done' });
    expect(changed.files).toBe(5);
    expect(stage.text(worklog)).toContain('worked');
  });

  const refused: [string, string][] = [
    ['a file', 'echo x > a.txt'],
    ['a new file', 'echo x > beside.txt'],
    ['a new folder', 'mkdir src2'],
    ['another case of it', 'mkdir SRC'],
    ['a file by a child', 'sh -c "sh -c \'echo x > a.txt\'"'],
    ['a file by a child that stays', 'setsid sh -c "echo x > a.txt" & wait; exit 1'],
    ['through a link in the scope', 'ln -s ../a.txt src/link && echo x > src/link'],
    ['through a link to a folder', 'ln -s .. src/up && echo x > src/up/new.txt'],
    ['by a hard link', 'ln a.txt src/hard && echo x > src/hard'],
    ['by moving the scope away', 'mv src moved'],
    ['by removing the scope', 'rm -r src && mkdir src'],
    ['by moving a file into the scope', 'mv a.txt src/'],
    ['by a new name for a file of the scope', 'mv src/b.txt b.txt'],
    ['the forbidden scope', 'echo x > secret/key.txt'],
    ['settings of git', 'echo x > .git/config'],
    ['a hook', 'echo x > .git/hooks/post-checkout'],
    ['the index', 'git add -A'],
    ['a ref', 'git branch mine'],
    ['beside its worklog', 'echo x > worklogs/other'],
    ['by removing its worklog', 'rm "$BATON_WORKLOG"'],
    ['by replacing its worklog', 'ln -s /etc/passwd src/l && mv src/l "$BATON_WORKLOG"'],
    ['by mounting', 'mount --bind src secret'],
  ];
  test.each(refused)('cannot write outside of it: %s', async (_, script) => {
    const spec = scoped('src');
    await stage.begun(spec, { worklog: stage.entry() });
    const before = stage.fingerprint();
    expect((await act(script)).exitCode).not.toBe(0);
    expect((await stage.hand(spec)).outcome, 'nothing has come of it').toEqual({ status: 'done' });
    expect(stage.fingerprint()).toEqual(before);
    const look = ['--no-optional-locks', '--work-tree', stage.workspace, 'status', '--porcelain', '--', '.', ':!src'];
    expect(stage.git(...look)).toBe('?? worklogs/');
  });

  test('reaches nothing of Baton and of the user: what it writes there is gone with it', async () => {
    await stage.begun(scoped('src'));
    const known = () => readFileSync(path.join(stage.workspace, '../workspace.json'), 'utf8');
    const before = [stage.fingerprint(), known()];
    await act(`echo x > ../workspace.json; echo x > ../git/config; echo x > ${stage.repo}/a.txt`);
    expect((await act('ls -A .. ../../..; cat ../workspace.json')).out, 'nor is it seen').toBe(
      '..:\nworkspace\n\n../../..:\njobs\n',
    );
    expect([stage.fingerprint(), known()]).toEqual(before);
  });

  test('cannot replace a file of its scope by another, only write to it', async () => {
    await stage.begun(scoped('a.txt'));
    const { exitCode, said } = await act('echo x > /tmp/new && mv /tmp/new a.txt');
    expect(exitCode).not.toBe(0);
    expect(said).toMatch(/busy|cross-device|Read-only/i);
    expect(await act('echo x > a.txt')).toMatchObject({ exitCode: 0 });
  });

  test('where nobody can tell a file from a folder, it makes what it likes, and what else it makes is found out', async () => {
    const spec = scoped('tool');
    await stage.begun(spec);
    expect((await act('echo x > a.txt')).exitCode).not.toBe(0);
    expect((await act('echo x > src/b.txt')).exitCode).not.toBe(0);
    expect((await act('mv src other')).exitCode).not.toBe(0);
    expect((await act('echo x > .git/config')).exitCode).not.toBe(0);
    expect((await act('echo x > baton.json')).exitCode).not.toBe(0);
    expect(await act('mkdir tool && echo x > tool/x')).toMatchObject({ exitCode: 0 });
    expect((await stage.hand(spec)).outcome).toEqual({ status: 'done' });
    expect(await act('echo x > sibling')).toMatchObject({ exitCode: 0 });
    expect((await stage.hand(spec)).outcome).toMatchObject({ code: 'SCOPE_VIOLATION', reason: /sibling/ });
  });

  test('with everything in its scope still cannot change what tells git and Baton what to run', async () => {
    await stage.begun(stage.spec({ lock_scope: ['.'] }));
    expect((await act('echo x > .git/config')).exitCode).not.toBe(0);
    expect((await act('mv .git away')).exitCode).not.toBe(0);
    expect((await act('echo x > baton.json')).exitCode).not.toBe(0);
    expect(await act('echo x > a.txt && echo x > anything')).toMatchObject({ exitCode: 0 });
  });

  test('that is only to read writes nothing but its worklog', async () => {
    await stage.begun(scoped('src'));
    expect((await act('echo x > src/b.txt', { sandbox: 'read-only' })).exitCode).not.toBe(0);
    expect(await act('echo x >> "$BATON_WORKLOG" && cat src/b.txt', { sandbox: 'read-only' })).toMatchObject({
      exitCode: 0,
      out: 'two\n',
    });
  });

  test('reads what is forbidden unless that is hidden, and then not by way of git either', async () => {
    await stage.begun(scoped('src'));
    expect(await act('cat secret/key.txt')).toMatchObject({ out: 'forbidden\n' });
    const hidden = { forbidden: 'hidden' } as const;
    expect(await act('ls -A secret; cat a.txt; echo x > src/new', hidden)).toMatchObject({ exitCode: 0, out: 'one\n' });
    const objects = path.join(stage.repo, '.git');
    expect((await act('git show HEAD:secret/key.txt', hidden)).exitCode).not.toBe(0);
    expect((await act(`git --git-dir ${objects} show HEAD:secret/key.txt`, hidden)).exitCode).not.toBe(0);
    expect((await act(`cat ${stage.repo}/secret/key.txt`, hidden)).exitCode).not.toBe(0);
    expect((await act('echo x > secret/new', hidden)).exitCode).not.toBe(0);
  });

  test('finds a forbidden file hidden that is spelled in another case', async () => {
    await stage.begun(stage.spec({ forbidden_scope: ['SECRET/Key.txt'] }));
    expect(await act('cat secret/key.txt', { forbidden: 'hidden' })).toMatchObject({ out: '' });
  });

  test('is not let out by a link that an earlier one has put in place of its scope', async () => {
    const spec = scoped('src');
    await stage.begun(spec);
    const outside = path.join(stage.root, 'outside');
    mkdirSync(outside);
    writeFileSync(path.join(outside, 'file'), 'untouched\n');
    rmSync(path.join(stage.workspace, 'src'), { recursive: true });
    symlinkSync(outside, path.join(stage.workspace, 'src'));
    expect((await act('echo x > src/file')).exitCode).not.toBe(0);
    expect(readFileSync(path.join(outside, 'file'), 'utf8')).toBe('untouched\n');
  });

  test('has names of any kind in its scope', async () => {
    stage.write('cafe\u0301/x', 'x\n');
    stage.git('add', '.');
    stage.git('commit', '-q', '-m', 'NFD');
    const spec = scoped('caf\u00e9', 'a file.txt');
    await stage.begun(spec);
    expect(
      await act('echo y > cafe\u0301/x && echo y > "a file.txt" && echo z > "cafe\u0301/$(printf "a\\nb")"'),
    ).toMatchObject({
      exitCode: 0,
    });
    expect(await stage.hand(spec)).toMatchObject({ outcome: { status: 'done' }, changed: { files: 3 } });
  });
});
