import { describe, expect, test } from 'vitest';
import { optionFor, wantedIn } from './acp-permission.js';

const W = '/w';

describe('what an agent asks for', () => {
  test.each<[string, object, object]>([
    ['a command', { kind: 'execute', rawInput: { command: 'rm a' } }, { kind: 'exec', what: 'rm a', cwd: W }],
    ['in a folder', { rawInput: { command: 'ls', cwd: 'src' } }, { kind: 'exec', what: 'ls', cwd: '/w/src' }],
    ['as words', { rawInput: { command: ['ls', '-l'] } }, { kind: 'exec', what: 'ls -l', cwd: W }],
    ['a file', { kind: 'edit', locations: [{ path: 'a.js' }] }, { kind: 'patch', what: '/w/a.js', cwd: W }],
    ['by a diff', { kind: 'edit', content: [{ type: 'diff', path: '/etc/a' }] }, { kind: 'patch', what: '/etc/a' }],
    ['by input', { kind: 'delete', rawInput: { file_path: '../b' } }, { kind: 'patch', what: '/b' }],
    ['files inside', { kind: 'edit', locations: [{ path: 'a' }, { path: 'b' }] }, { kind: 'patch', what: '/w/a' }],
  ])('is %s', (_, call, wanted) => {
    expect(wantedIn({ ...call }, W)).toMatchObject(wanted);
  });

  test('is never taken for something harmless', () => {
    const mixed = wantedIn({ kind: 'edit', title: 'a', locations: [{ path: 'a' }, { path: '/etc/passwd' }] }, W);
    expect(mixed).toMatchObject({ kind: 'exec', what: expect.stringMatching(/^tool-edit .*\/etc\/passwd/) });
    expect(wantedIn({ kind: 'edit', title: 'a' }, W).what).toMatch(/^tool-edit /);
    expect(wantedIn({ kind: 'read', title: 'ls' }, W).what).toMatch(/^tool-read \["ls"/);
    expect(wantedIn({ title: 'ls' }, W).what).toMatch(/^tool-other /);
  });
});

test('what is said holds for this once, whatever else is offered', () => {
  const all = ['allow_always', 'reject_always', 'allow_once', 'reject_once'].map((kind) => ({ kind, optionId: kind }));
  expect([optionFor(all, 'allow'), optionFor(all, 'reject')]).toEqual(['allow_once', 'reject_once']);
  const always = all.slice(0, 2);
  expect([optionFor(always, 'allow'), optionFor(always, 'reject')]).toEqual([undefined, 'reject_always']);
  expect([optionFor('x', 'allow'), optionFor([null, { kind: 'allow_once', optionId: 7 }], 'allow')]).toEqual([
    undefined,
    undefined,
  ]);
});
