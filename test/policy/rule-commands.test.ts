import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';

type Listed = { items: { id: string; decision: string; argv?: string[]; author?: string }[] };

async function listed(stage: JobStage, ...more: string[]): Promise<Listed['items']> {
  return (JSON.parse((await stage.cli('rule', 'list', '--json', ...more)).out) as Listed).items;
}

describe('baton rule', () => {
  test('add, list, test and rm belong together', async () => {
    const stage = new JobStage();
    expect(await stage.cli('rule', 'test', 'pnpm add jose')).toMatchObject({
      code: 3,
      out: "ask: no rule allows pnpm add jose\nAllow it: baton rule add allow 'pnpm add'\n",
    });
    const added = await stage.cli('rule', 'add', 'allow', 'pnpm add', '--agent', 'claude');
    expect(added).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Rule 1: allow pnpm add, for claude, 30 days/),
    });
    expect(await stage.cli('rule', 'test', 'pnpm add jose', '--agent', 'claude')).toMatchObject({
      code: 0,
      out: 'allow: rule 1 says: allow pnpm add\nTake it back: baton rule rm 1\n',
    });
    expect((await stage.cli('rule', 'test', 'pnpm add jose', '--agent', 'codex')).code).toBe(3);
    expect((await stage.cli('rule', 'test', 'pnpm add jose', '--agent', 'claude', '--guard', 'none')).code).toBe(3);
    await stage.cli('rule', 'add', 'deny', 'git push --force');
    expect((await stage.cli('rule', 'test', 'git -C x push --force')).code).toBe(1);
    expect((await listed(stage)).map(({ id, decision }) => `${id} ${decision}`)).toEqual(['1 allow', '2 deny']);
    expect(await stage.cli('rule', 'rm', '2')).toMatchObject({ code: 0, err: 'Rule 2 is taken back.\n' });
    expect((await listed(stage)).map(({ id }) => id)).toEqual(['1']);
    expect(await stage.cli('rule', 'rm', '2', '--json')).toMatchObject({
      code: 1,
      out: expect.stringContaining('RULE_NOT_FOUND'),
    });
  });

  test('makes a rule that holds in its folder and its repository alone', async () => {
    const stage = new JobStage();
    const other = new JobStage();
    mkdirSync(path.join(stage.repo, 'api'));
    await stage.cli('rule', 'add', 'allow', 'make', '--folder', 'api');
    expect((await stage.cli('rule', 'test', 'make all')).code).toBe(3);
    expect((await stage.cli('rule', 'test', 'make all', '--folder', 'api')).code).toBe(0);
    expect((await stage.cli('rule', 'test', 'cd api && make all')).code).toBe(0);
    const elsewhere = await stage.cli('rule', 'test', 'make all', '--repo', other.repo, '--json');
    expect(elsewhere.code).toBe(3);
    expect(await listed(stage, '--repo', other.repo)).toEqual([]);
    expect(await listed(stage, '--all')).toHaveLength(1);
  });

  test('reads what baton.json says once it is trusted', async () => {
    const stage = new JobStage();
    const rules = [{ decision: 'deny', argv: ['npm', 'publish'] }];
    writeFileSync(path.join(stage.repo, 'baton.json'), JSON.stringify({ rules }));
    const before = await stage.cli('rule', 'test', 'npm publish');
    expect(before).toMatchObject({ code: 3, err: expect.stringContaining('do not count yet') });
    await stage.cli('trust');
    expect(await stage.cli('rule', 'test', 'npm publish')).toMatchObject({
      code: 1,
      out: 'deny: rule baton.json#1 says: deny npm publish\n',
    });
    expect(await listed(stage)).toEqual([
      { id: 'baton.json#1', author: 'baton.json', repo: stage.repo, decision: 'deny', argv: ['npm', 'publish'] },
    ]);
    expect((await stage.cli('rule', 'rm', 'baton.json#1')).err).toContain('it stands in baton.json');
  });

  test('a rule that has ended holds no more', async () => {
    const stage = new JobStage();
    await stage.cli('rule', 'add', 'allow', 'npm ci', '--for', '0.001s');
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await stage.cli('rule', 'test', 'npm ci')).code).toBe(3);
    expect(await listed(stage)).toEqual([]);
    expect(await listed(stage, '--all')).toEqual([]);
  });

  test.each([
    [['rule', 'add', 'permit', 'ls'], 'USAGE'],
    [['rule', 'add', 'allow'], 'USAGE'],
    [['rule', 'add', 'allow', 'npm $X'], 'USAGE'],
    [['rule', 'add', 'allow', 'npm ci; rm x'], 'USAGE'],
    [['rule', 'add', 'allow', 'npm ci > a'], 'USAGE'],
    [['rule', 'add', 'allow', 'ls', '--for', 'soon'], 'USAGE'],
    [['rule', 'add', 'allow', 'ls', '--for', '0d'], 'USAGE'],
    [['rule', 'add', 'allow', 'ls', '--folder', '/'], 'PATH_REFUSED'],
    [['rule', 'add', 'allow', 'ls', '--folder', 'missing'], 'INPUT_UNREADABLE'],
    [['rule', 'add', 'allow', 'ls', '--repo', '/'], 'USAGE'],
    [['rule', 'add', 'deny', '--host', 'http://x'], 'SCHEMA_INVALID'],
    [['rule', 'rm', 'x'], 'RULE_NOT_FOUND'],
    [['rule', 'test', 'ls', '--guard', 'some'], 'USAGE'],
  ])('refuses %j with %s', async (words, code) => {
    const said = await new JobStage().cli(...words, '--json');
    expect(JSON.parse(said.out)).toMatchObject({ allow: false, code, hint: expect.any(String) });
  });

  test('shows what was read, as data', async () => {
    const { out } = await new JobStage().cli('rule', 'test', "ls 'a b' | wc", '--json');
    expect(JSON.parse(out)).toMatchObject({
      decision: 'allow',
      because: { type: 'known-safe', name: 'ls' },
      understood: true,
      commands: [{ argv: ['ls', 'a b'] }, { argv: ['wc'] }],
    });
  });
});
