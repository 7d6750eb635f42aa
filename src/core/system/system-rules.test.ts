import { describe, expect, test } from 'vitest';
import { expiryOf } from '../policy/rule.js';
import { RULES_MAX, systemDecider } from './system-decider.js';
import type { ScopedRule, SystemCommand, SystemEvent, SystemState } from './system-messages.js';

const RULE: ScopedRule = { decision: 'allow', argv: ['pnpm', 'add'], repo: '/repo', author: 'anna' };
const ADD: SystemCommand = { type: 'AddRule', atMs: 1, rule: RULE };
const DAY_MS = 86_400_000;
const forOneDay: ScopedRule = { ...RULE, expires_at: expiryOf(0, 1) };

function told(commands: readonly SystemCommand[], from?: SystemState) {
  let state = from ?? systemDecider.initialState();
  const events: SystemEvent[] = [];
  const refused: string[] = [];
  for (const command of commands) {
    const decision = systemDecider.decide(state, command);
    if ('refusal' in decision) refused.push(decision.refusal.code);
    for (const event of 'events' in decision ? decision.events : []) {
      events.push(event);
      state = systemDecider.evolve(state, event);
    }
  }
  return { state, events, refused };
}

describe('a rule in the system run', () => {
  test('is kept under a number', () => {
    const { events, state } = told([ADD]);
    expect(events).toEqual([{ type: 'RuleAdded', atMs: 1, id: 1, rule: RULE }]);
    expect([...state.rules]).toEqual([[1, RULE]]);
  });

  test('is taken back by its number, once', () => {
    const { events, state, refused } = told([
      ADD,
      { type: 'RemoveRule', atMs: 2, id: 1 },
      { type: 'RemoveRule', atMs: 3, id: 1 },
    ]);
    expect(events.at(-1)).toEqual({ type: 'RuleRemoved', atMs: 2, id: 1, why: 'taken-back' });
    expect({ rules: state.rules.size, refused }).toEqual({ rules: 0, refused: ['RULE_NOT_FOUND'] });
  });

  test('never gets the number of one that was taken back', () => {
    const { state } = told([ADD, { type: 'RemoveRule', atMs: 2, id: 1 }, ADD]);
    expect([...state.rules.keys()]).toEqual([2]);
  });

  test('must name something', () => {
    const rule: ScopedRule = { decision: 'allow', repo: '/repo', author: 'anna' };
    expect(told([{ type: 'AddRule', atMs: 1, rule }]).refused).toEqual(['SCHEMA_INVALID']);
    expect(told([{ type: 'AddRule', atMs: 1, rule: { ...rule, argv: [] } }]).refused).toEqual(['SCHEMA_INVALID']);
  });

  test.each(['2020-01-01T00:00:00Z', 'some day'])('must not have ended before it begins: %s', (expires_at) => {
    const rule = { ...RULE, expires_at };
    expect(told([{ type: 'AddRule', atMs: Date.parse('2021-01-01'), rule }]).refused).toEqual(['SCHEMA_INVALID']);
  });

  test('that has ended makes room for the next one', () => {
    const { events } = told([
      { type: 'AddRule', atMs: 1, rule: forOneDay },
      { type: 'AddRule', atMs: DAY_MS, rule: RULE },
    ]);
    expect(events.slice(1)).toEqual([
      { type: 'RuleRemoved', atMs: DAY_MS, id: 1, why: 'expired' },
      { type: 'RuleAdded', atMs: DAY_MS, id: 2, rule: RULE },
    ]);
  });

  test(`is refused when there are ${RULES_MAX}, unless one of them has ended`, () => {
    const full = told([{ type: 'AddRule', atMs: 1, rule: forOneDay }, ...Array(RULES_MAX - 1).fill(ADD)]);
    expect(full.refused).toEqual([]);
    expect(told([ADD], full.state).refused).toEqual(['RULES_FULL']);
    expect(told([{ ...ADD, atMs: DAY_MS }], full.state).refused).toEqual([]);
  });

  test('survives a snapshot', () => {
    const { state } = told([ADD, { type: 'Lock', atMs: 1, holder: 'a', scope: 's', resources: ['x'] }]);
    const { encode, decode } = systemDecider.snapshot ?? {};
    expect(decode?.(JSON.parse(JSON.stringify(encode?.(state))))).toEqual(state);
  });
});
