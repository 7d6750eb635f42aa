import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { judgeLine, type Line } from '../../src/core/policy/judge-line.js';
import { createShellReader } from '../../src/sandbox/shell/create-shell-reader.js';
import { ALLOWED, ASKED, DENIED, RULES } from './judged-lines.js';

const workspace = realpathSync(mkdtempSync(path.join(tmpdir(), 'baton-policy-')));
mkdirSync(path.join(workspace, 'packages/api'), { recursive: true });
mkdirSync(path.join(workspace, 'src'));
symlinkSync('/tmp', path.join(workspace, 'packages/link'));
afterAll(() => rmSync(workspace, { recursive: true }));

const reader = await createShellReader();
const judge = (line: string, more: Partial<Line> = {}) =>
  judgeLine({ reading: reader.readLine(line, workspace), rules: RULES, workspace, guard: 'inside', ...more });

describe('inside a sandbox that holds', () => {
  test.each(ALLOWED)('needs nobody: %j', (line) => {
    expect(judge(line)).toMatchObject({ decision: 'allow' });
  });
  test.each(DENIED)('is refused: %j', (line) => {
    expect(judge(line)).toMatchObject({ decision: 'deny', because: { type: 'rule' } });
  });
  test.each(ASKED)('is asked: %j', (line) => {
    expect(judge(line)).toMatchObject({ decision: 'ask' });
  });
});

describe('where no sandbox holds', () => {
  test.each(ALLOWED)('is asked: %j', (line) => {
    expect(judge(line, { guard: 'none' })).toMatchObject({ decision: 'ask', because: { type: 'no-guard' } });
  });
  test.each(DENIED)('is refused all the same: %j', (line) => {
    expect(judge(line, { guard: 'none' }).decision).toBe('deny');
  });
});

describe('what would leave the sandbox', () => {
  test.each(['cat /home/me/.ssh/id', 'git status', 'ls', 'rg todo'])('reading is asked: %j', (line) => {
    expect(judge(line, { guard: 'leaving' }).decision).toBe('ask');
  });
  test.each(['npm test', 'cd src && npm test', 'echo begin; npm test'])('a rule is enough: %j', (line) => {
    expect(judge(line, { guard: 'leaving' })).toMatchObject({ decision: 'allow', because: { type: 'rule' } });
  });
});

describe('a line that reaches a host', () => {
  const host = { id: 'h', decision: 'allow', host: '*.example.com' } as const;
  test.each([
    ['npm test', [], 'allow'],
    ['ls', [], 'ask'],
    ['ls', [host], 'allow'],
    ['node a.js', [host], 'ask'],
    ['npm test', [{ ...host, decision: 'deny' }], 'deny'],
    ['npm test', [{ ...host, decision: 'deny', host: 'other.com' }], 'allow'],
    ['npx x', [{ ...host, argv: ['npx'] }], 'allow'],
    ['npx x', [{ ...host, argv: ['npx'], host: 'example.com' }], 'ask'],
  ] as const)('%s with %j', (line, more, decision) => {
    const rules = [...RULES, ...more];
    expect(judge(line, { rules, hosts: ['api.example.com'] }).decision).toBe(decision);
  });

  test('is asked about when a rule allows it for only one of two hosts', () => {
    const rules = [{ ...host, argv: ['npx'] }];
    expect(judge('npx x', { rules, hosts: ['api.example.com', 'evil.com'] }).decision).toBe('ask');
  });
});

describe('the reason', () => {
  test.each([
    ['git push --force', 'rule 5 says: deny git push --force', 0],
    ['ls; git push origin', 'rule 4 says: ask git push origin', 1],
    ['ls && curl -s x y', 'no rule allows curl -s x …', 1],
    ['ls > a.txt', 'it writes to a.txt', 0],
    ['PATH=. ls', 'it sets PATH, which may change what runs', 0],
    ['ls $X', 'it cannot be known beforehand what this runs: the value of $X is not known', null],
    ['xargs docker', 'rule 10 may mean this: deny docker push', 1],
    ['npm test', 'rule 1 says: allow npm test', 0],
    ['git status', 'git status only reads', 0],
  ])('of %s is said in words', (line, reason, command) => {
    const judged = judge(line);
    expect({ reason: judged.reason, command: judged.command }).toEqual({ reason, command });
  });
});
