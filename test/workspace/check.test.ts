import { existsSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Stage } from './stage.js';

let here: Stage;
beforeEach(async () => {
  here = new Stage().commitFirst();
  here.write('test/a.test', 'strict\n');
  here.write('test/deep/b.test', 'strict\n');
  here.git('add', '.');
  here.git('commit', '-q', '-m', 'tests');
  await here.ready();
});
afterEach(() => here.clear());

const output = async (script: string, protect: string[] = [], env: string[] = []): Promise<string> => {
  const { results } = await here.check([['sh', '-c', script]], protect, env);
  return here.text(results[0]?.output ?? null);
};

describe('checks', () => {
  test('tell what failed, with the end of its output', async () => {
    const { results, guidance, protectedChanged } = await here.check([
      ['true'],
      ['sh', '-c', 'seq 1 20000; echo the end; exit 3'],
      ['no-such-command'],
      ['sh', '-c', 'kill -9 $$'],
    ]);
    expect(results.map(({ exitCode }) => exitCode)).toEqual([0, 3, 127, null]);
    expect(protectedChanged).toEqual([]);
    const text = here.text(guidance);
    expect(text).toMatch(/`sh -c seq 1 20000; echo the end; exit 3` failed: exit code 3.[\s\S]*20000\nthe end\n/);
    expect(text).toMatch(/no-such-command` failed: exit code 127[\s\S]*ended by a signal/);
    expect(text.length).toBeLessThan(6_000);
    expect(here.rows).toEqual([]);
  });

  test('that pass leave nothing to say and nothing behind', async () => {
    expect(await here.check([['true']])).toMatchObject({ results: [{ exitCode: 0 }], guidance: null });
    expect(readdirSync(path.dirname(here.workspace)).sort()).toEqual(['git', 'workspace', 'workspace.json']);
  });

  test('see protected files as the job began, and the rest as the agent left it', async () => {
    here.work('a.txt', 'work\n');
    here.work('test/a.test', 'easy\n');
    here.work('test/new.test', 'new\n');
    rmSync(path.join(here.workspace, 'test/deep/b.test'));
    await here.collect();
    const { protectedChanged } = await here.check([], ['test/**']);
    expect(protectedChanged).toEqual(['test/a.test', 'test/deep/b.test', 'test/new.test']);
    expect(await output('cat a.txt test/a.test test/deep/b.test; ls test', ['test/**'])).toBe(
      'work\nstrict\nstrict\na.test\ndeep\n',
    );
    expect(await output('cat test/a.test; ls test')).toBe('easy\na.test\nnew.test\n');
    expect(here.read('test/a.test'), 'the workspace stays as it was').toBe('easy\n');
  });

  test.each([
    [['test'], ['test/a.test', 'test/deep/b.test']],
    [['/test/*.test'], ['test/a.test']],
    [['**/*.test'], ['test/a.test', 'test/deep/b.test']],
    [['*.test', 'a.*'], ['a.txt']],
    [['test/?.test', 'nothing/**'], ['test/a.test']],
  ])('protect %j', async (protect, changed) => {
    for (const file of ['a.txt', 'test/a.test', 'test/deep/b.test']) here.work(file, 'changed\n');
    await here.collect();
    expect((await here.check([], protect)).protectedChanged).toEqual(changed);
  });

  test('see protected files also when the agent put a link in the place of their folder', async () => {
    here.work('easy/a.test', 'easy\n');
    rmSync(path.join(here.workspace, 'test'), { recursive: true });
    symlinkSync('easy', path.join(here.workspace, 'test'));
    await here.collect();
    expect(await output('cat test/a.test', ['test/**'])).toBe('strict\n');
  });

  test('have what git ignores, but not what the agent did after its answer', async () => {
    here.work('node_modules/pkg/index.js', 'installed\n');
    here.work('src/deep.log', 'log\n');
    here.work('a.txt', 'work\n');
    await here.collect();
    here.work('a.txt', 'later\n');
    here.work('untracked.txt', 'later\n');
    expect(await output('cat node_modules/pkg/index.js src/deep.log a.txt; ls')).toBe(
      'installed\nlog\nwork\na.txt\nnode_modules\nsrc\ntest\n',
    );
    expect(here.read('node_modules/pkg/index.js'), 'and it is still there').toBe('installed\n');
  });

  test('have a home of their own and only the variables that are named', async () => {
    Object.assign(here.environment, { TOKEN: 'named', GIT_DIR: '/x' });
    const seen = await output('env | sort | grep -v -e ^BATON_ -e ^PWD=; ls -A "$HOME"; pwd', [], ['TOKEN', 'UNSET']);
    const jobs = path.dirname(here.workspace);
    expect(seen).toBe(`HOME=${jobs}/home\nLANG=C\nPATH=${here.environment.PATH}\nTOKEN=named\n${jobs}/check\n`);
  });

  test('run in the workspace itself when there is no repository', async () => {
    here.run = 'no-repository';
    await here.ready({ repository: null });
    expect(await output('pwd', ['x/**'])).toBe(`${here.workspace}\n`);
  });

  test('end with everything they started when they are aborted', async () => {
    const running = here.check([['sh', '-c', `touch ${here.root}/begun; sleep 300`]]);
    while (!existsSync(path.join(here.root, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 20));
    here.abort.abort();
    await expect(running).rejects.toThrow(/was ended/);
    expect(here.rows).toEqual([]);
  });
});
