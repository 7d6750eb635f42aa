import { describe, expect, test } from 'vitest';
import type { Finding } from './finding.js';
import { readyAgents, renderFindings } from './render.js';

const UTF8 = { utf8: true, colour: false };

const FINDINGS: readonly Finding[] = [
  { topic: 'node', status: 'ok', text: '20.20.2' },
  { topic: 'git', status: 'ok', text: '2.43.0' },
  { topic: 'sqlite', status: 'ok', text: '3.53.0 (WAL, every commit synced)' },
  { topic: 'home', status: 'ok', text: '~/.baton, mode 0700, 41 GB free' },
  { topic: 'claude', status: 'ok', text: '2.1.197   plan login   cost shown as API-equivalent; cap tokens and time' },
  {
    topic: 'codex',
    status: 'problem',
    text: '0.166.0   not logged in',
    fix: 'codex login   or: export OPENAI_API_KEY=…',
  },
  { topic: 'gemini', status: 'absent', text: 'not found   optional' },
  { topic: 'opencode', status: 'absent', text: 'not found   optional' },
  {
    topic: 'sandbox',
    status: 'warning',
    text: 'bubblewrap is not installed\nuntil fixed: …',
    fix: 'baton doctor --show-fix sandbox',
  },
  { topic: 'server', status: 'ok', text: 'none running; commands work without one' },
];

describe('the report', () => {
  test('has the basics in one line, absent agents in one, and ends with what to do', () => {
    expect(renderFindings(FINDINGS, UTF8)).toBe(`\
✓ node 20.20.2 · git 2.43.0 · SQLite 3.53.0 (WAL, every commit synced)
✓ home      ~/.baton, mode 0700, 41 GB free
✓ claude    2.1.197   plan login   cost shown as API-equivalent; cap tokens and
            time
✗ codex     0.166.0   not logged in
            fix: codex login   or: export OPENAI_API_KEY=…
- gemini, opencode not found   optional
! sandbox   bubblewrap is not installed
            until fixed: …
            fix: baton doctor --show-fix sandbox
✓ server    none running; commands work without one

1 problem, 1 warning. Ready: claude.   try: baton init
`);
  });

  test('is pure ASCII where the locale is not UTF-8', () => {
    const abroad: Finding = { topic: 'home', status: 'ok', text: '/home/jürgen/.baton' };
    const text = renderFindings([...FINDINGS, abroad], { utf8: false, colour: false });
    expect(text).toMatch(/^[ -~\n]+$/);
    expect(text).toContain('ok   node 20.20.2, git 2.43.0, SQLite');
    expect(text).toContain('/home/j?rgen/.baton');
    expect(text).toContain('FAIL codex     0.166.0');
    expect(text).toContain('export OPENAI_API_KEY=...');
    expect(text).toContain('try: baton init');
  });

  test('keeps to 80 columns whatever a finding says', () => {
    const long: Finding = { topic: 'home', status: 'problem', text: 'word '.repeat(60).trim() };
    const every = ['claude', 'codex', 'gemini', 'opencode', 'model'].map(
      (topic): Finding => ({ topic, status: 'ok', text: '1.0.0' }),
    );
    for (const utf8 of [true, false]) {
      const lines = renderFindings([long, ...every, ...FINDINGS], { utf8, colour: false }).split('\n');
      expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
    }
  });

  test('lets nothing move the cursor', () => {
    const sly: Finding = { topic: 'home', status: 'ok', text: 'a\u001b[2Jb\u202ec' };
    expect(renderFindings([sly], UTF8)).toContain('a\ufffd[2Jb\ufffdc');
  });

  test('shows a basic that is not well in a line of its own', () => {
    const [node, ...rest] = FINDINGS;
    const old: Finding = { topic: 'node', status: 'problem', text: '18.0.0 is too old' };
    const text = renderFindings([old, ...rest], UTF8);
    expect(text).toContain('✗ node      18.0.0 is too old');
    expect(text).toContain('✓ git 2.43.0 · SQLite 3.53.0');
    expect(node).toBeDefined();
  });

  test('colours only the symbol', () => {
    const text = renderFindings(FINDINGS.slice(3, 4), { utf8: true, colour: true });
    expect(text).toContain('\u001b[32m✓\u001b[39m home');
  });
});

describe('the last line', () => {
  const last = (...findings: Finding[]) => renderFindings(findings, UTF8).trimEnd().split('\n').at(-1);

  test('without any agent offers to install one', () => {
    expect(last()).toBe('No problem, no warning. No agent can work yet.   try: npm i -g @openai/codex');
  });

  test('offers the login of an agent that is there', () => {
    const codex: Finding = { topic: 'codex', status: 'problem', text: '', fix: 'codex login   or: export X=…' };
    expect(last(codex)).toBe('1 problem, no warning. No agent can work yet.   try: codex login');
  });
});

test('ready are the agents that are well, and nothing else that is well', () => {
  expect(readyAgents(FINDINGS)).toEqual(['claude']);
  expect(readyAgents([{ topic: 'model', status: 'ok', text: '' }])).toEqual(['model']);
});
