import { beforeEach, expect, test } from 'vitest';
import type { Wanted } from '../../core/kernel/effect.js';
import { Leaving } from './leaving.js';
import { type Permit, Permits } from './permit.js';

let asked: Wanted[];
let permit: Permit;
let later: (() => void)[];
let leaving: Leaving;

beforeEach(() => {
  asked = [];
  later = [];
  permit = { decision: 'ask', why: 'no rule allows to reach it' };
  const clock = {
    nowMs: () => 0,
    monotonicMs: () => 0,
    after(_: number, act: () => void) {
      later.push(act);
      return () => {};
    },
  };
  const permits = new Permits({ run: 'j', held: true }, { agent: 'codex' }, async () => permit);
  leaving = new Leaving({
    permits,
    clock,
    workspace: '/w',
    ownHosts: /(?:^|\.)maker\.example$/,
    onAsks: (wanted) => asked.push(wanted),
  });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function refusedWhile(command: string | undefined, ...targets: string[]): Promise<Wanted[]> {
  leaving.heard(command);
  for (const target of targets) leaving.onRefused(target);
  leaving.heard(undefined);
  await settled();
  return asked;
}

test('a person is asked for what a command was refused, when the command has ended', async () => {
  leaving.heard('npm i');
  leaving.onRefused('a.example.com:443');
  await settled();
  expect(asked).toEqual([]);
  expect(await refusedWhile('npm i', 'a.example.com:8443')).toMatchObject([
    {
      kind: 'network',
      what: 'a.example.com',
      cwd: '/w',
      why: 'no rule allows to reach it, which was wanted by: npm i',
    },
  ]);
});

test('a command of many lines is told by its first', async () => {
  const [asked] = await refusedWhile(`npm i${'\nx'.repeat(5_000)}`, 'a.example.com:443');
  expect(asked?.why).toBe('no rule allows to reach it, which was wanted by: npm i (+5000 lines)');
});

test('once, however many it was refused', async () => {
  await refusedWhile('npm i', 'a.example.com:443', 'b.example.com:8443');
  expect((await refusedWhile('npm i', 'c.example.com:443')).map(({ what }) => what)).toEqual(['a.example.com']);
});

test('nobody is asked for what an agent tries by itself', async () => {
  expect(await refusedWhile(undefined, 'telemetry.example.com:443')).toEqual([]);
  leaving.onRefused('telemetry.example.com:443');
  for (const act of later) act();
  expect(await refusedWhile('ls')).toEqual([]);
});

test('nor for what its maker has, also while a command runs', async () => {
  expect(await refusedWhile('npm i', 'maker.example:443', 'stats.maker.example:443')).toEqual([]);
  expect(await refusedWhile('npm i', 'other-maker.example:443')).toHaveLength(1);
});

test('the word that a command has begun may come after its refusal', async () => {
  leaving.onRefused('a.example.com:443');
  expect(await refusedWhile('npm i')).toHaveLength(1);
});

test.each([
  '10.0.0.1:443',
  '[::1]:443',
  '127.0.0.1:80',
  'http://a.example.com/',
  'a.example.com',
  '',
  '\u001b[31m:443',
])('nobody is asked for %j, which could not be opened', async (target) => {
  expect(await refusedWhile('curl', target)).toEqual([]);
});

test.each([{ decision: 'deny', reason: 'rule 1' } as const, { decision: 'allow' } as const])(
  'nobody is asked where a rule has said: %o',
  async (ruled) => {
    permit = ruled;
    expect(await refusedWhile('npm i', 'a.example.com:443')).toEqual([]);
  },
);
