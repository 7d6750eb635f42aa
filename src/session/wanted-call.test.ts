import { describe, expect, test } from 'vitest';
import { wantedCall } from './wanted-call.js';

const wanted = (tool: string, given: unknown, custom = false) =>
  wantedCall({ tool, custom, given: typeof given === 'string' ? given : JSON.stringify(given) });
const PATCH = '*** Begin Patch\n*** Delete File: a\n*** End Patch';
const EXEC = { type: 'exec', workdir: null, timeoutMs: 120_000, outside: false, justification: null };

describe('a command', () => {
  test.each([
    [{ command: ['ls', '-l'] }, { ...EXEC, command: ['ls', '-l'] }],
    [{ command: 'ls | wc' }, { ...EXEC, command: 'ls | wc' }],
    [
      { cmd: 'ls', cwd: 'src' },
      { ...EXEC, command: 'ls', workdir: 'src' },
    ],
    [
      { command: ['ls'], timeout_ms: 1e12 },
      { ...EXEC, command: ['ls'], timeoutMs: 3_600_000 },
    ],
    [
      { command: ['ls'], sandbox_permissions: 'require_escalated' },
      { ...EXEC, command: ['ls'], outside: true },
    ],
    [
      { command: ['ls'], with_escalated_permissions: true, justification: 'to look' },
      { ...EXEC, command: ['ls'], outside: true, justification: 'to look' },
    ],
    [
      { command: ['ls'], with_escalated_permissions: 'true' },
      { ...EXEC, command: ['ls'] },
    ],
  ])('%j is understood', (given, expected) => {
    expect(wanted('exec_command', given)).toEqual(expected);
    expect(wanted('shell', given)).toEqual(expected);
  });

  test.each([
    [{}],
    [{ command: [] }],
    [{ command: '' }],
    [{ command: [' '] }],
    [{ command: [1, 2] }],
    [{ command: { a: 1 } }],
    [{ command: ['a\0b'] }],
    [{ command: ['ls'], workdir: 7 }],
    [{ command: ['ls'], timeout_ms: -1 }],
    [{ command: ['ls'], timeout_ms: 'soon' }],
    ['{"command": ["ls"'],
    ['[]'],
    ['null'],
    ['{"command":["a"],"command":["b"]}'],
  ])('%j is told back in words', (given) => {
    expect(wanted('exec_command', given)).toEqual({ type: 'problem', words: expect.stringMatching(/\w{3,}/) });
  });
});

describe('a patch', () => {
  test.each([
    ['apply_patch', { input: PATCH }, false],
    ['apply_patch', { patch: PATCH }, false],
    ['apply_patch', PATCH, true],
    ['apply_patch', PATCH, false],
    ['exec_command', { command: ['apply_patch', PATCH] }, false],
    ['exec_command', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${PATCH}\nEOF\n`] }, false],
    ['exec_command', { command: `apply_patch << "X"\n${PATCH}\nX` }, false],
  ])('by %s of %j is taken as one', (tool, given, custom) => {
    expect(wanted(tool, given, custom)).toEqual({ type: 'patch', text: PATCH });
  });

  test('in another folder is not guessed at', () => {
    const line = `cd src && apply_patch <<'EOF'\n${PATCH}\nEOF`;
    expect(wanted('exec_command', { command: line })).toMatchObject({ type: 'problem' });
    expect(wanted('exec_command', { command: ['apply_patch', PATCH], workdir: 'src' })).toMatchObject({
      type: 'problem',
    });
  });

  test('beside other commands is a command', () => {
    const line = `apply_patch <<'EOF'\n${PATCH}\nEOF\nrm -rf x`;
    expect(wanted('exec_command', { command: line })).toMatchObject({ type: 'exec' });
  });
});

test('a plan is taken when each step has words and a status that is known', () => {
  const plan = [{ step: 'look', status: 'completed' }, { step: 'work' }];
  expect(wanted('update_plan', { plan, explanation: 'why' })).toEqual({
    type: 'plan',
    report: {
      explanation: 'why',
      plan: [
        { step: 'look', status: 'completed' },
        { step: 'work', status: 'pending' },
      ],
    },
  });
  for (const bad of [
    {},
    { plan: 'x' },
    { plan: [{ step: '' }] },
    { plan: [{ step: 'a', status: 'soon' }] },
    { plan: [null] },
  ]) {
    expect(wanted('update_plan', bad)).toMatchObject({ type: 'problem' });
  }
});

test('what is none of ours is passed on with what was given', () => {
  expect(wanted('mcp__a__b', { x: 1 })).toEqual({ type: 'other', tool: 'mcp__a__b', given: { x: 1 } });
  expect(wanted('mcp__a__b', '')).toEqual({ type: 'other', tool: 'mcp__a__b', given: {} });
});
