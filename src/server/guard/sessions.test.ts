import { expect, test } from 'vitest';
import type { Identity } from '../route.js';
import { Sessions } from './sessions.js';

const ANNA: Identity = { name: 'anna', role: 'steward', agent: null };

function stage() {
  const around = { nowMs: 0, tokens: new Map([['t', ANNA]]) };
  const sessions = new Sessions({ identifyHash: (hash) => around.tokens.get(hash) }, () => around.nowMs);
  return { around, sessions };
}

test('a link works for a minute', () => {
  const { around, sessions } = stage();
  const [one, other] = [sessions.link('t'), sessions.link('t')];
  around.nowMs = 59_999;
  expect(sessions.begin(one.code)).toBeDefined();
  around.nowMs = 60_000;
  expect(sessions.begin(other.code)).toBeUndefined();
});

test('a session ends after twelve hours, or with its token', () => {
  const { around, sessions } = stage();
  const begun = sessions.begin(sessions.link('t').code);
  const who = () => sessions.identify(begun?.session ?? '', begun?.proof ?? '');
  around.nowMs = 12 * 3_600_000 - 1;
  expect(who()).toEqual(ANNA);
  around.nowMs += 1;
  expect(who()).toBeUndefined();
  around.nowMs = 0;
  around.tokens.clear();
  expect(who()).toBeUndefined();
});

test('a link of a token that was revoked meanwhile logs nobody in', () => {
  const { around, sessions } = stage();
  const { code } = sessions.link('t');
  around.tokens.clear();
  expect(sessions.begin(code)).toBeUndefined();
});

test('links that nobody uses do not pile up: the newest count', () => {
  const { sessions } = stage();
  const codes = Array.from({ length: 30 }, () => sessions.link('t').code);
  expect(codes.map((code) => sessions.begin(code) !== undefined)).toEqual(codes.map((_, index) => index >= 10));
});
