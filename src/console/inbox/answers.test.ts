import { expect, test } from 'vitest';
import type { InboxItem } from '../../client/index.js';
import { answersTo, commandOf } from './answers.js';
import { questionOf } from './item-words.js';

const NOBODY = { made_by: null, barred: null, answered: null };

function item(kind: string, title = '', details: InboxItem['details'] = {}): InboxItem {
  const times = { created_at: '2026-01-01T00:00:00.000Z', expires_at: null };
  return { item: 7, run_id: 'j', kind, status: 'open', title, question: 'Now?', ...times, details, ...NOBODY };
}

function told(of: InboxItem, note: string) {
  return answersTo(of).map((answer) => [answer.key, answer.body({ note }), commandOf(of, answer, { note })]);
}

test('each answer is the same as the command that stands below it', () => {
  expect(told(item('approval'), "it's")).toEqual([
    ['A', { decision: 'approve' }, 'baton answer 7 --approve'],
    ['R', { decision: 'deny', guidance: "it's" }, "baton answer 7 --deny --guidance 'it'\\''s'"],
  ]);
  expect(told(item('intervention', 'stuck'), 'so')).toEqual([
    ['R', { guidance: 'so' }, 'baton answer 7 --guidance so'],
    ['P', {}, 'baton job resubmit j --phase PHASE'],
    ['T', { decision: 'deny' }, 'baton answer 7 --deny'],
  ]);
  expect(told(item('intervention', 'your turn: review'), 'seen')).toEqual([
    ['A', { decision: 'approve', text: 'seen' }, 'baton answer 7 --approve --text seen'],
    ['D', { decision: 'deny', guidance: 'seen' }, 'baton answer 7 --deny --guidance seen'],
  ]);
  expect(told(item('limit', 'limit reached'), '9')).toEqual([
    ['R', { raise: 9 }, 'baton answer 7 --raise 9'],
    ['X', { decision: 'deny' }, 'baton answer 7 --deny'],
  ]);
  expect(told(item('exec_approval'), '').map(([, body]) => body)).toEqual([
    { decision: 'approve' },
    { decision: 'approve', always: true },
    { decision: 'deny' },
    {},
  ]);
});

test('who goes on with a blocked task: another agent, the same for longer, or nobody', () => {
  const blocker = item('blocker', 'T-6 is blocked', { about: 'T-6 Payments', agents: ['codex-main', 'claude'] });
  expect(told(blocker, '')).toEqual([
    ['1', { decision: 'approve', text: 'agent codex-main' }, "baton answer 7 --approve --text 'agent codex-main'"],
    ['2', { decision: 'approve' }, 'baton answer 7 --approve'],
    ['F', { decision: 'deny' }, 'baton answer 7 --deny'],
  ]);
  expect(told(blocker, ' claude ')[0]?.[1]).toEqual({ decision: 'approve', text: 'agent claude' });
  expect(questionOf(blocker)).toBe('T-6 Payments is blocked. Who goes on with it?');
  expect(answersTo(item('blocker', '', { agents: [] }))[0]?.barred).toContain('baton agent register');
});

test('a run of the operator that stopped goes on or is raised; an attempt is not canceled by itself', () => {
  const halted = { about: 'o', limits: {}, spent: {} };
  expect(told(item('intervention', 'merge failed', halted), '')).toEqual([
    ['A', { decision: 'approve' }, 'baton answer 7 --approve'],
  ]);
  expect(answersTo(item('limit', 'limit reached', halted)).map(({ key }) => key)).toEqual(['R']);
  expect(answersTo(item('exec_approval', '', { ledger: 'r' })).map(({ key }) => key)).not.toContain('X');
});

test('a question is answered in own words, a confirmation with yes or no and nothing beside it', () => {
  expect(told(item('clarification'), 'the console')).toEqual([
    ['⏎', { text: 'the console' }, "baton answer 7 --text 'the console'"],
  ]);
  const steps = [{ tool: 'code_search' }, { tool: 'read_file' }];
  const asked = item('confirmation', '', { steps, hash: 'a'.repeat(64) });
  expect(told(asked, 'never sent')).toEqual([
    ['Y', { decision: 'approve' }, 'baton answer 7 --approve'],
    ['N', { decision: 'deny' }, 'baton answer 7 --deny'],
  ]);
  expect(answersTo(asked)[0]?.name).toBe('Yes, run 2 steps');
  expect(questionOf(asked)).toBe('Run these 2 steps?');
  expect(answersTo(item('confirmation', '', { steps: steps.slice(1) }))[0]?.name).toBe('Yes, run 1 step');
  expect(questionOf(item('confirmation'))).toBe('“Now?”');
  expect(questionOf({ ...item('clarification'), question: 'x'.repeat(999) })).toBe(`“${'x'.repeat(240)}…”`);
});

test('what is not offered says why: no rule where nothing holds, or where a rule asks', () => {
  const barred = (of: InboxItem, holds: boolean) => answersTo(of, { holds }).find(({ key }) => key === 'W')?.barred;
  expect(barred(item('exec_approval'), true)).toBeUndefined();
  expect(barred(item('exec_approval'), false)).toContain('no sandbox');
  expect(barred(item('exec_approval', '', { why: 'rule 3 says: ask' }), true)).toContain('baton rule rm');
});

test('every question ends as one', () => {
  const titles = ['stuck', 'schema', 'network', 'crash', 'sent back three times', 'the provider asks to wait'];
  for (const title of titles) expect(questionOf(item('intervention', title)), title).toMatch(/\?$/);
  const reached = { limit_reached: 'activeMs', spent: { seconds: 61 }, limits: { activeMs: 60_000 } };
  expect(questionOf(item('limit', 'limit reached', reached))).toBe(
    'Active time reached its limit of 1 m 00 s. Raise it?',
  );
  expect(questionOf(item('limit', 'limit reached'))).toBe('A limit is reached. Raise it?');
});

test('no two answers of a kind have the same key, and exactly one is the first', () => {
  for (const kind of [
    'intervention',
    'approval',
    'exec_approval',
    'patch_approval',
    'limit',
    'login',
    'landing',
    'protected',
    'clarification',
    'confirmation',
  ]) {
    const answers = answersTo(item(kind));
    expect(new Set(answers.map(({ key }) => key)).size, kind).toBe(answers.length);
    expect(
      answers.filter(({ tone }) => tone === 'first'),
      kind,
    ).toHaveLength(1);
  }
});

test('for an agent a person gives its text, or says that there will be none', () => {
  const asked = item('clarification', 'request', { request_id: 'r1', dir: '/srv/app', agent_name: 'architect' });
  expect(told(asked, '{"a": 1}')).toEqual([
    ['⌃⏎', { text: '{"a": 1}' }, `baton answer 7 --text '{"a": 1}'`],
    ['D', { decision: 'deny' }, 'baton answer 7 --deny'],
  ]);
  expect(questionOf(asked)).toBe('Now?');
});
