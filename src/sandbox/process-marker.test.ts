import { describe, expect, test } from 'vitest';
import { carriesMarker, type Marker, markerEnvironment } from './process-marker.js';

const marker: Marker = { scope: 'home', run: 'fix-login-7k2', handoff: 'ask-1', attempt: 2, spawn: 's1' };
const target = { scope: 'home', run: 'fix-login-7k2' };

const environ = (env: Record<string, string>): string =>
  Object.entries({ PATH: '/bin', ...env, LAST: '1' })
    .map(([name, value]) => `${name}=${value}\0`)
    .join('');
const carried = environ(markerEnvironment(marker, {}));

describe('a marked environment', () => {
  test('names run, handoff and attempt', () => {
    expect(markerEnvironment(marker, {})).toEqual({
      BATON_HANDOFF: 'fix-login-7k2/ask-1/2',
      BATON_RUN: 'fix-login-7k2',
      BATON_SPAWN: 'home:s1',
    });
  });

  test.each([
    ['its run', target, true],
    ['its handoff', { ...target, handoff: 'ask-1' }, true],
    ['its spawn', { ...target, handoff: 'ask-1', spawn: 's1' }, true],
    ['another spawn', { ...target, handoff: 'ask-1', spawn: 's2' }, false],
    ['another handoff', { ...target, handoff: 'ask-11' }, false],
    ['the beginning of its handoff', { ...target, handoff: 'ask' }, false],
    ['the beginning of its run', { ...target, run: 'fix-login' }, false],
    ['the same run of another store', { ...target, scope: 'hom' }, false],
  ])('is judged rightly against %s', (_, aim, belongs) => {
    expect(carriesMarker(carried, aim)).toBe(belongs);
  });

  test('is found when only BATON_HANDOFF is left of it', () => {
    expect(carriesMarker(environ({ BATON_HANDOFF: 'fix-login-7k2/ask-1/2' }), target)).toBe(true);
  });

  test.each(['', 'fix-login-7k2', 'fix-login-7k2/ask-1', 'fix-login-7k2/ask-1/x', '/fix-login-7k2/ask-1/2'])(
    'is not found in BATON_HANDOFF=%s',
    (text) => {
      expect(carriesMarker(environ({ BATON_HANDOFF: text }), { ...target, handoff: 'ask-1' })).toBe(false);
    },
  );

  test('is not found in a value that only looks like one', () => {
    expect(carriesMarker(environ({ NOTE: 'BATON_HANDOFF=fix-login-7k2/ask-1/2' }), target)).toBe(false);
  });
});

describe('a Baton inside a command of another', () => {
  const inner = markerEnvironment({ ...marker, scope: 'inner', run: 'r2', spawn: 's9' }, markerEnvironment(marker, {}));

  test('passes the outer marker on', () => {
    const innermost = environ(markerEnvironment({ ...marker, scope: 'third', run: 'r3' }, inner));
    for (const aim of [
      target,
      { ...target, spawn: 's1' },
      { scope: 'inner', run: 'r2' },
      { scope: 'third', run: 'r3' },
    ]) {
      expect(carriesMarker(innermost, aim)).toBe(true);
    }
    expect(carriesMarker(innermost, { scope: 'inner', run: 'fix-login-7k2' })).toBe(false);
  });

  test('remembers a bounded number of levels', () => {
    let env = inner;
    for (let level = 0; level < 100; level++) env = markerEnvironment(marker, env);
    expect(env.BATON_OUTER?.split('\n')).toHaveLength(8);
  });
});

test.each([
  ['a scope', { scope: 'a:b' }],
  ['a run', { run: 'a/b' }],
  ['a handoff', { handoff: 'a\nb' }],
])('%s that would make markers ambiguous is refused', (_, wrong) => {
  expect(() => markerEnvironment({ ...marker, ...wrong }, {})).toThrow(TypeError);
});
