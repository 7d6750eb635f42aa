import { expect, test } from 'vitest';
import type { Identity } from '../route.js';
import { type KeptSession, Sessions } from './sessions.js';

const ANNA: Identity = { name: 'anna', role: 'steward', agent: null };
const HOURS_12_MS = 12 * 3_600_000;

function stage() {
  const around = { nowMs: 0, tokens: new Map([['t', ANNA]]), kept: [] as readonly KeptSession[] };
  const open = () =>
    new Sessions({
      access: { identifyHash: (hash) => around.tokens.get(hash) },
      clock: { nowMs: () => around.nowMs, monotonicMs: () => around.nowMs },
      keeper: {
        read: async () => JSON.parse(JSON.stringify(around.kept)),
        async write(sessions) {
          around.kept = sessions;
        },
      },
    });
  return { around, open, sessions: open() };
}

test('a link works for a minute', async () => {
  const { around, sessions } = stage();
  const [one, other] = [sessions.link('t'), sessions.link('t')];
  around.nowMs = 59_999;
  expect(await sessions.begin(one.code)).toBeDefined();
  around.nowMs = 60_000;
  expect(await sessions.begin(other.code)).toBeUndefined();
});

test('a session ends after twelve hours, or with its token', async () => {
  const { around, sessions } = stage();
  const begun = await sessions.begin(sessions.link('t').code);
  const who = () => sessions.identify(begun?.session ?? '', begun?.proof ?? '');
  around.nowMs = HOURS_12_MS - 1;
  expect(who()).toEqual(ANNA);
  around.nowMs += 1;
  expect(who()).toBeUndefined();
  around.nowMs = 0;
  around.tokens.clear();
  expect(who()).toBeUndefined();
});

test('a link of a token that was revoked meanwhile logs nobody in', async () => {
  const { around, sessions } = stage();
  const { code } = sessions.link('t');
  around.tokens.clear();
  expect(await sessions.begin(code)).toBeUndefined();
});

test('links that nobody uses do not pile up: the newest count', async () => {
  const { sessions } = stage();
  const codes = Array.from({ length: 30 }, () => sessions.link('t').code);
  const begun = await Promise.all(codes.map(async (code) => (await sessions.begin(code)) !== undefined));
  expect(begun).toEqual(codes.map((_, index) => index >= 10));
});

test('a session outlives the server as hashes alone, and so does its end', async () => {
  const { around, open, sessions } = stage();
  const begun = await sessions.begin(sessions.link('t').code);
  const { session = '', proof = '' } = begun ?? {};
  expect(JSON.stringify(around.kept)).not.toContain(session);
  expect(JSON.stringify(around.kept)).not.toContain(proof);
  const second = open();
  await second.load();
  expect(second.identify(session, proof)).toEqual(ANNA);
  expect(second.identify(session, 'another')).toBeUndefined();
  await second.end(session);
  const third = open();
  await third.load();
  expect(third.identify(session, proof)).toBeUndefined();
});

test('what is over, and what claims to last longer than any session, is not taken up again', async () => {
  const { around, open, sessions } = stage();
  const { session = '', proof = '' } = (await sessions.begin(sessions.link('t').code)) ?? {};
  const identified = async () => {
    const next = open();
    await next.load();
    return next.identify(session, proof);
  };
  around.nowMs = HOURS_12_MS;
  expect(await identified()).toBeUndefined();
  around.nowMs = -1;
  expect(await identified()).toBeUndefined();
  around.nowMs = 0;
  expect(await identified()).toEqual(ANNA);
});
