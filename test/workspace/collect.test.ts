import { chmodSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeHasher } from '../../src/system/node-hasher.js';
import { RUN, Stage } from './stage.js';

let here: Stage;
beforeEach(async () => {
  here = new Stage().commitFirst();
  await here.ready();
});
afterEach(() => here.clear());

describe('collecting an answer', () => {
  test('keeps the workspace as a commit that the user has as a branch [R100]', async () => {
    here.extra = { headOf: async () => 'f00' };
    const before = here.fingerprint();
    here.work('a.txt', 'one\nmore\n');
    here.work('new.txt', 'new\n');
    rmSync(path.join(here.workspace, 'src/b.txt'));
    utimesSync(path.join(here.workspace, 'a.txt'), 1_700_000_000, 1_700_000_000);
    const reading = await here.collect(['./a.txt', 'a.txt']);
    const commit = here.git('rev-parse', `baton/${RUN}`);
    expect(reading).toEqual({
      action: 'COMPLETED',
      fault: null,
      violation: null,
      summary: expect.anything(),
      evidence: [
        { path: 'a.txt', bytes: 9, modifiedAt: '2023-11-14T22:13:20.000Z', sha256: nodeHasher.sha256('one\nmore\n') },
      ],
      missing: [],
      unnamed: ['new.txt'],
      changed: { files: 3, added: 2, removed: 1 },
      reported: null,
      warnings: ['changed, but not named as evidence: new.txt'],
      advice: null,
      commit,
    });
    expect(here.text(reading.summary)).toBe('It is done. It works.');
    expect(here.git('log', '-1', '--format=%an|%B', commit)).toBe(
      `Baton|implementation: It is done. It works.\n\nBaton-Job: ${RUN}\nBaton-Handoff: ask-1 collect-ask-1.1\nBaton-Head: f00`,
    );
    expect(here.git('rev-parse', `${commit}^`)).toBe(here.git('rev-parse', 'HEAD'));
    expect(here.fingerprint()).toEqual(before);
    expect(here.rows).toEqual([]);
  });

  test('comes behind the commit of another job that has landed there, whatever that one calls its handoffs', async () => {
    const landed = new Stage().commitFirst();
    try {
      landed.write('a.txt', 'landed\n');
      landed.git('commit', '-qam', 'It is done.\n\nBaton-Job: other\nBaton-Handoff: ask-1 collect-ask-1.1');
      await landed.ready();
      landed.work('b.txt', 'new\n');
      const { commit, changed } = await landed.collect(['b.txt']);
      expect(landed.git('rev-parse', `${commit}^`)).toBe(landed.git('rev-parse', 'HEAD'));
      expect(changed).toEqual({ files: 1, added: 1, removed: 0 });
    } finally {
      landed.clear();
    }
  });

  test.each([0, 200])('keeps the same files however awkward they are, also with %i others', async (others) => {
    here.work('ignored', 'tracked all the same\n');
    here.work('file-then-folder', 'x\n');
    await here.collect([], 'ask-0');
    here.git('-C', here.workspace, 'add', '--all');
    here.work('.gitignore', 'ignored\n*.log\n');
    here.work('ignored', 'changed\n');
    here.work('not kept.log', 'x\n');
    rmSync(path.join(here.workspace, 'file-then-folder'));
    here.work('file-then-folder/inside', 'x\n');
    rmSync(path.join(here.workspace, 'src'), { recursive: true });
    here.work('src', 'a folder before\n');
    for (const name of ['*.txt', ':(top)a', '!x', ' space ', 'line\nbreak', 'ü', '-A']) here.work(name, `${name}\n`);
    chmodSync(path.join(here.workspace, 'a.txt'), 0o755);
    for (let file = 0; file < others; file += 1) here.work(`other-${file}`, `${file}\n`);
    const { commit } = await here.collect([], 'ask-1');
    here.git('-C', here.workspace, 'add', '--all');
    const wanted = here.git('-C', here.workspace, 'write-tree');
    expect(here.git('ls-tree', '-r', `${commit}`)).toBe(here.git('-C', here.workspace, 'ls-tree', '-r', wanted));
  });

  test('makes no commit when nothing changed', async () => {
    const base = here.git('rev-parse', 'HEAD');
    expect(await here.collect()).toMatchObject({
      commit: base,
      changed: { files: 0, added: 0, removed: 0 },
      unnamed: [],
    });
  });

  test('counts from the handoff before, however often it is done', async () => {
    here.work('a.txt', 'first\n');
    const first = await here.collect([], 'ask-1');
    here.work('c.txt', 'second\n');
    const second = await here.collect([], 'ask-2');
    expect(second).toMatchObject({ unnamed: ['c.txt'], changed: { files: 1, added: 1, removed: 0 } });
    expect(await here.collect([], 'ask-2')).toEqual(second);
    here.work('c.txt', 'second, and more\n');
    expect(await here.collect([], 'ask-2')).toMatchObject({ changed: { files: 1 } });
    expect(here.git('log', '--format=%H', `baton/${RUN}`, '^HEAD').split('\n')).toHaveLength(2);
    expect(here.git('rev-parse', `baton/${RUN}^`)).toBe(first.commit);
  });

  test('also keeps what the agent committed itself, on whatever branch', async () => {
    here.work('a.txt', 'committed by the agent\n');
    here.gitIn(here.workspace, 'checkout', '-q', '-b', 'elsewhere');
    here.gitIn(here.workspace, 'commit', '-q', '-a', '-m', 'own');
    expect(await here.collect(['a.txt'])).toMatchObject({ changed: { files: 1, added: 1, removed: 1 }, unnamed: [] });
    expect(here.git('show', `baton/${RUN}:a.txt`)).toBe('committed by the agent');
  });

  test('says which evidence does not exist, and what to do about it', async () => {
    const reading = await here.collect(['gone.txt', 'a.txt', 'src', 'a.txt/x']);
    expect(reading).toMatchObject({
      fault: { kind: 'evidence', reason: '3 of 4 evidence files do not exist: gone.txt, src, a.txt/x' },
      missing: ['gone.txt', 'src', 'a.txt/x'],
      evidence: [{ path: 'a.txt' }],
    });
    expect(here.text(reading.advice)).toMatch(/turned down[\s\S]*- gone.txt\n- src\n- a.txt\/x\nCreate them/);
  });

  test('keeps the work also when the answer cannot be read', async () => {
    here.work('a.txt', 'work\n');
    const answer = here.store('I am done!');
    const input = { workspace: here.place, answer, handoff: 'ask-1', phase: 'implementation', exact: false };
    expect(await here.perform('collect', input)).toMatchObject({
      action: null,
      fault: { kind: 'schema' },
      summary: null,
    });
    expect(here.git('show', `baton/${RUN}:a.txt`)).toBe('work');
  });

  test('writes no secret into a commit message', async () => {
    here.work('a.txt', 'work\n');
    await here.collect([], 'ask-1', { summary_for_supervisor: 'The key is\nhunter2hunter2\u001b[2J.' });
    const subject = here.git('log', '-1', '--format=%s', `baton/${RUN}`);
    expect(subject).toMatch(/^implementation: The key is \S+ \[2J\.$/);
    expect(subject).not.toContain('hunter2');
  });

  test('fits into an event, however many files there are', async () => {
    const files = Array.from({ length: 600 }, (_, index) => `many/${'long-name-'.repeat(8)}${index}.txt`);
    for (const file of files) here.work(file, file);
    const reading = await here.collect([...files, ...files.map((file) => `no/${file}`)]);
    expect(JSON.stringify(reading).length).toBeLessThan(60 * 1024);
    expect(reading.changed.files).toBe(600);
    expect(reading.warnings.join()).toMatch(/more of evidence/);
    expect(here.text(reading.advice)).toMatch(/and 500 more/);
  });

  test('refuses more evidence than can be looked at', async () => {
    const files = Array.from({ length: 10_001 }, (_, index) => `f${index}`);
    expect(await here.collect(files)).toMatchObject({
      fault: { kind: 'schema', reason: expect.stringMatching(/10001 evidence files/) },
      evidence: [],
    });
  });
});

describe("the branch in the user's repository", () => {
  test('is left alone while the user has it checked out; the work is kept beside it', async () => {
    here.git('checkout', '-q', `baton/${RUN}`);
    const before = here.fingerprint();
    here.work('a.txt', 'work\n');
    const { commit, warnings } = await here.collect(['a.txt']);
    expect(warnings.join()).toMatch(/left alone, because it is checked out in/);
    expect(here.git('rev-parse', `refs/baton/${RUN}/head`)).toBe(commit);
    expect(here.git('rev-parse', `baton/${RUN}`)).not.toBe(commit);
    expect(here.fingerprint()).toEqual(before);
    here.git('checkout', '-q', 'main');
    here.work('a.txt', 'more work\n');
    const again = await here.collect(['a.txt'], 'ask-2');
    expect(again.warnings.join()).toMatch(/somebody else has moved it/);
  });

  test('is not moved away from a commit of the user', async () => {
    here.git('checkout', '-q', `baton/${RUN}`);
    here.write('mine.txt', 'mine\n');
    here.git('add', '.');
    here.git('commit', '-q', '-m', 'mine');
    here.git('checkout', '-q', 'main');
    here.work('a.txt', 'work\n');
    expect((await here.collect(['a.txt'])).warnings.join()).toMatch(/somebody else has moved it/);
    expect(here.git('log', '-1', '--format=%s', `baton/${RUN}`)).toBe('mine');
  });
});
