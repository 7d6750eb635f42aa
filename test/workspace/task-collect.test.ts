import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LEDGER, TaskStage } from './task-stage.js';

let stage: TaskStage;
beforeEach(() => {
  stage = new TaskStage().commitFirst() as TaskStage;
});
afterEach(() => stage.clear());

const inWorkspace = (file: string): string => path.join(stage.workspace, file);
const WORKLOG = 'worklogs/T-1.jsonl';

test('work inside the scope becomes a commit on top of its base', async () => {
  const spec = stage.spec();
  const { base } = await stage.begun(spec);
  stage.work('src/b.txt', 'changed\n');
  stage.work('src/new.txt', 'new\n');
  const x_usage = { input_tokens: 10, output_tokens: 5, cost_usd: 0.01 };
  const read = await stage.hand(spec, stage.answer(spec, { x_usage }));
  expect(read).toMatchObject({
    outcome: { status: 'done' },
    changed: { files: 2, added: 2, removed: 1 },
    proven: 1,
    reported: { inputTokens: 10, outputTokens: 5, costMicroUsd: 10_000 },
    warnings: [],
    worklog: null,
  });
  const commit = read.commit ?? '';
  expect(stage.git('log', '--format=%s|%P', '-1', commit)).toBe(`Task T-1|${base}`);
  expect(stage.git('diff', '--name-only', base ?? '', commit)).toBe('src/b.txt\nsrc/new.txt');
  expect(stage.refs()).toContain(`refs/baton/${stage.run}/head`);
  expect(JSON.parse(stage.text(read.result))).toMatchObject({ task_id: 'T-1' });
  expect(await stage.hand(spec), 'done again it is the same commit').toMatchObject({ commit });
});

test('done without any change is done', async () => {
  const spec = stage.spec({ lock_scope: ['src/new.ts'] });
  const { base } = await stage.begun(spec);
  const read = await stage.hand(spec);
  expect(read).toMatchObject({ outcome: { status: 'done' }, commit: base, changed: { files: 0 } });
  expect(stage.refs()).not.toContain(`refs/baton/${stage.run}/head`);
});

test('a file that was made empty and then touched is work', async () => {
  const spec = stage.spec({ lock_scope: ['src/__init__.py', 'src/other.py'] });
  await stage.begun(spec);
  utimesSync(inWorkspace('src/__init__.py'), 1, 1);
  expect(await stage.hand(spec)).toMatchObject({ changed: { files: 1 } });
});

test('what was made empty may be gone with its folder', async () => {
  const spec = stage.spec({ lock_scope: ['new/one.py', 'new/two.py'] });
  await stage.begun(spec);
  rmSync(inWorkspace('new'), { recursive: true });
  stage.work('new', 'a file\n');
  expect((await stage.hand(spec)).outcome).toMatchObject({ code: 'SCOPE_VIOLATION' });
});

describe('a change outside of the scope', () => {
  test.each<[string, string, () => void]>([
    ['of a file', 'a.txt', () => stage.work('a.txt', 'changed')],
    ['by a new file', 'beside.txt', () => stage.work('beside.txt', 'x')],
    ['by removing a file', 'a.txt', () => rmSync(inWorkspace('a.txt'))],
    ['by its mode', 'a.txt', () => stage.work('a.txt', 'one\n', 0o755)],
    ['by moving a folder', 'moved/b.txt', () => renameSync(inWorkspace('src'), inWorkspace('moved'))],
    ['in another case', 'SRC/b.txt', () => stage.work('SRC/b.txt', 'x')],
    ['beside it with the same beginning', 'src2/b.txt', () => stage.work('src2/b.txt', 'x')],
    ['with a backslash for a slash', 'src\\evil', () => stage.work('src\\evil', 'x')],
    ['with a space before it', ' src/b.txt', () => stage.work(' src/b.txt', 'x')],
    ['with a line break in its name', 'a\nb', () => stage.work('a\nb', 'x')],
    ['by a link', 'link', () => symlinkSync('/etc/passwd', inWorkspace('link'))],
    ['beside the worklog', 'worklogs/other', () => stage.work('worklogs/other', 'x')],
    [
      'that looks like the base of a repository',
      'deep/.gitignore',
      () => stage.work('deep/.gitignore', '*\n!.gitignore'),
    ],
  ])('%s', async (_, file, act) => {
    const spec = stage.spec();
    await stage.begun(spec);
    act();
    const { outcome, commit } = await stage.hand(spec);
    expect(outcome).toEqual({
      status: 'failed',
      code: 'SCOPE_VIOLATION',
      reason: `${JSON.stringify(file)} was changed and is outside lock_scope`,
    });
    expect(commit).toBeNull();
  });

  test('by a name that is not UTF-8', async () => {
    const spec = stage.spec();
    await stage.begun(spec);
    writeFileSync(Buffer.concat([Buffer.from(`${stage.workspace}/`), Buffer.from([0xff, 0x61])]), 'x');
    expect((await stage.hand(spec)).outcome).toMatchObject({ code: 'SCOPE_VIOLATION' });
  });

  test('that is only claimed', async () => {
    const spec = stage.spec();
    await stage.begun(spec);
    const changes = [{ resource: 'a.txt', action: 'modified' }];
    expect((await stage.hand(spec, stage.answer(spec, { changes }))).outcome).toMatchObject({
      code: 'SCOPE_VIOLATION',
    });
  });

  test('in what is forbidden, in any case of letters', async () => {
    const spec = stage.spec({ lock_scope: ['.'], forbidden_scope: ['SRC'] });
    await stage.begun(spec);
    stage.work('src/b.txt', 'changed');
    expect((await stage.hand(spec)).outcome).toMatchObject({
      reason: '"src/b.txt" was changed and is inside forbidden_scope SRC',
    });
  });
});

test('names inside the scope may be anything', async () => {
  const spec = stage.spec({ lock_scope: ['src', 'caf\u00e9'] });
  await stage.begun(spec);
  for (const name of ['a b', 'line\nbreak', '*?', 'cafe\u0301', 'back\\slash', ' ']) stage.work(`src/${name}`, 'x');
  stage.work('cafe\u0301/x', 'x');
  writeFileSync(Buffer.concat([Buffer.from(`${stage.workspace}/src/`), Buffer.from([0xff])]), 'x');
  expect(await stage.hand(spec)).toMatchObject({ outcome: { status: 'done' }, changed: { files: 8 } });
});

test('a FIFO, a hard link and a repository inside hinder nobody', async () => {
  const spec = stage.spec();
  await stage.begun(spec);
  execFileSync('mkfifo', [inWorkspace('src/fifo')]);
  linkSync(inWorkspace('a.txt'), inWorkspace('src/hard'));
  stage.work('src/inner/.git/config', '[core]\n');
  stage.work('src/inner/x', 'x');
  const { outcome, changed } = await stage.hand(spec);
  expect(outcome).toEqual({ status: 'done' });
  expect(changed.files).toBe(2);
});

describe('what the agent says', () => {
  const cases: [string, (spec: ReturnType<TaskStage['spec']>) => object | string, object][] = [
    [
      'in text around the object',
      (spec) => `Here you are:\n${JSON.stringify(stage.answer(spec))}\nBye.`,
      { status: 'done' },
    ],
    ['nothing', () => '', { status: 'failed', code: 'SCHEMA_INVALID' }],
    ['prose', () => 'I did it.', { status: 'failed', code: 'SCHEMA_INVALID' }],
    [
      'too much',
      (spec) => stage.answer(spec, { x: 'x'.repeat(3_000_000) }),
      { status: 'failed', code: 'SCHEMA_INVALID' },
    ],
    ['for another task', (spec) => stage.answer(spec, { task_id: 'T-2' }), { status: 'failed', code: 'NON_COMPLIANT' }],
    [
      'without proof',
      (spec) => stage.answer(spec, { acceptance_check: [] }),
      { status: 'failed', code: 'ACCEPTANCE_FAILED' },
    ],
    [
      'a secret',
      (spec) => stage.answer(spec, { notes_for_orchestrator: [`AKIA${'A'.repeat(16)}`] }),
      { status: 'failed', code: 'UNTRUSTED_CONTEXT_BLOCK' },
    ],
    [
      'blocked',
      (spec) => stage.answer(spec, { status: 'blocked', notes_for_orchestrator: ['no\nkey', 'hunter2hunter2'] }),
      { status: 'blocked', code: 'TASK_BLOCKED', reason: expect.stringMatching(/^no key (?!hunter2)/) },
    ],
    [
      'failed, with a code',
      (spec) => stage.answer(spec, { status: 'failed', x_code: 'MERGE_CONFLICT' }),
      { code: 'MERGE_CONFLICT' },
    ],
    [
      'failed, with a code nobody knows',
      (spec) => stage.answer(spec, { status: 'failed', x_code: 'X' }),
      { code: 'TASK_FAILED' },
    ],
    ['later', (spec) => stage.answer(spec, { status: 'blocked', x_retry_after_ms: 5 }), { retryAfterMs: 5 }],
  ];
  test.each(cases)('%s', async (_, said, outcome) => {
    const spec = stage.spec();
    await stage.begun(spec);
    stage.work('src/b.txt', 'changed');
    const read = await stage.hand(spec, said(spec));
    expect(read.outcome).toMatchObject(outcome);
    expect(read.commit === null).toBe(read.outcome.status !== 'done');
    expect(stage.refs().includes(`refs/baton/${stage.run}/head`)).toBe(read.outcome.status === 'done');
  });

  test('as Markdown with front matter', async () => {
    const spec = stage.spec();
    await stage.begun(spec);
    const fields = Object.entries(stage.answer(spec)).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
    const read = await stage.hand(spec, `---\n${fields.join('\n')}\n---\n# Done\n\nAll well.\n`);
    expect(read).toMatchObject({ outcome: { status: 'done' }, proven: 1, warnings: [] });
  });
});

describe('the worklog', () => {
  const work = async (act: () => void, worklog = stage.entry({ action: 'assigned' })) => {
    const spec = stage.spec();
    await stage.begun(spec, { worklog });
    act();
    return stage.hand(spec);
  };
  const append = (...lines: string[]) =>
    appendFileSync(inWorkspace(WORKLOG), lines.map((line) => `${line}\n`).join(''));

  test('what was added is taken, and it is never committed', async () => {
    const { outcome, worklog, changed } = await work(() =>
      append(stage.entry({ action: 'one' }), stage.entry({ action: 'two' })),
    );
    expect(outcome).toEqual({ status: 'done' });
    expect(changed.files).toBe(0);
    const lines = stage.text(worklog).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).action)).toEqual(['one', 'two']);
  });

  test('not even when the repository has a file of that name, or says that it is not to be ignored', async () => {
    stage.write(WORKLOG, 'committed\n');
    stage.write('.gitignore', '!*.jsonl\n');
    stage.git('add', '-f', '.');
    stage.git('commit', '-q', '-m', 'worklog');
    const { outcome, changed } = await work(() => append(stage.entry()));
    expect(outcome).toEqual({ status: 'done' });
    expect(changed.files).toBe(0);
  });

  test('what is no entry is left out, and said', async () => {
    const { worklog, warnings } = await work(() =>
      append('no json', stage.entry({ task_id: 'T-2' }), stage.entry({ action: 'good' }), '{"half":'),
    );
    expect(JSON.parse(stage.text(worklog))).toMatchObject({ action: 'good' });
    expect(warnings).toHaveLength(3);
  });

  test('without secrets', async () => {
    const secret = `sk-ant-${'a'.repeat(30)}`;
    const { worklog } = await work(() =>
      append(stage.entry({ decision: 'use hunter2hunter2' }), stage.entry({ result: secret })),
    );
    expect(stage.text(worklog).trim().split('\n'), 'what is masked is no reason to leave a line out').toHaveLength(2);
    expect(stage.text(worklog)).not.toMatch(/hunter2|sk-ant-a/);
  });

  test('its last code tells why an agent gave up', async () => {
    const spec = stage.spec();
    await stage.begun(spec);
    append(stage.entry({ code: 'TOOL_MISSING' }));
    const read = await stage.hand(spec, stage.answer(spec, { status: 'failed' }));
    expect(read.outcome).toMatchObject({ status: 'failed', code: 'TOOL_MISSING' });
  });

  test('is bounded', async () => {
    const { worklog, warnings } = await work(() => append(...Array.from({ length: 3_000 }, () => stage.entry())));
    expect(stage.text(worklog).trim().split('\n')).toHaveLength(1_000);
    expect(warnings.join()).toContain('only 1000 lines');
    await stage.begun(stage.spec({ task_id: 'T-1' }), { attempt: 2 });
    appendFileSync(inWorkspace(WORKLOG), 'x'.repeat(2_000_000));
    expect((await stage.hand(stage.spec())).warnings.join()).toContain('only 524288 bytes');
  });

  test.each<[string, string, () => void]>([
    [
      'changed',
      'earlier lines of the worklog were changed',
      () => writeFileSync(inWorkspace(WORKLOG), `${stage.entry({ action: 'ASSIGNED' })}\n`),
    ],
    ['cut', 'earlier lines of the worklog were changed', () => writeFileSync(inWorkspace(WORKLOG), '')],
    ['removed', 'the worklog was removed', () => rmSync(inWorkspace(WORKLOG))],
    ['removed with its folder', 'the worklog was removed', () => rmSync(inWorkspace('worklogs'), { recursive: true })],
    [
      'a link',
      'the worklog leads through a link',
      () => replace(() => symlinkSync('/etc/passwd', inWorkspace(WORKLOG))),
    ],
    ['a folder', 'the worklog was removed', () => replace(() => mkdirSync(inWorkspace(WORKLOG)))],
    [
      'a FIFO',
      'the worklog is not a regular file',
      () => replace(() => execFileSync('mkfifo', [inWorkspace(WORKLOG)])),
    ],
    [
      'a second name of another file',
      'the worklog has another name elsewhere (hard link)',
      () => replace(() => linkSync(inWorkspace('a.txt'), inWorkspace(WORKLOG))),
    ],
  ])('%s: that is not compliant', async (_, reason, act) => {
    const { outcome, commit, worklog } = await work(act);
    expect(outcome).toEqual({ status: 'failed', code: 'NON_COMPLIANT', reason });
    expect([commit, worklog]).toEqual([null, null]);
  });

  const replace = (by: () => void): void => {
    rmSync(inWorkspace(WORKLOG));
    by();
  };
});

test('a workspace that is gone is said', async () => {
  const spec = stage.spec();
  await stage.begun(spec);
  const place = stage.place;
  rmSync(stage.workspace, { recursive: true });
  const input = { ledger: LEDGER, spec, workspace: place, answer: stage.store(JSON.stringify(stage.answer(spec))) };
  expect(await stage.deed('task.collect', input)).toMatchObject({ kind: 'workspace' });
});
