import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expiryOf, isExpired } from '../policy/rule.js';
import { systemDecider } from './system-decider.js';
import type { ScopedRule, SystemCommand } from './system-messages.js';

type Machine = typeof systemDecider;
const DAY_MS = 86_400_000;

/** Few days and few numbers, so that rules end and are taken back twice. */
const anyCommand: fc.Arbitrary<SystemCommand> = fc.oneof(
  fc.record({ days: fc.option(fc.integer({ min: 1, max: 4 })), atMs: fc.nat(5).map((day) => day * DAY_MS) }).map(
    ({ days, atMs }): SystemCommand => ({
      type: 'AddRule',
      atMs,
      rule: {
        ...{ decision: 'allow', argv: ['a'], repo: '/repo', author: 'anna' },
        ...(days !== null && { expires_at: expiryOf(atMs, days) }),
      },
    }),
  ),
  fc.record({ type: fc.constant('RemoveRule' as const), atMs: fc.constant(0), id: fc.integer({ min: 1, max: 6 }) }),
);

/** Plays the commands through a machine, by way of snapshots, and beside it through a list that anybody understands. */
function problemWith(machine: Machine, commands: readonly SystemCommand[]): string | undefined {
  const kept = new Map<number, ScopedRule>();
  const used = new Set<number>();
  let state = machine.initialState();
  for (const command of commands) {
    const decision = machine.decide(state, command);
    for (const event of 'events' in decision ? decision.events : []) {
      state = machine.evolve(state, event);
      if (event.type === 'RuleAdded') {
        if (used.has(event.id)) return `number ${event.id} was used before`;
        used.add(event.id);
        kept.set(event.id, event.rule);
      }
      if (event.type === 'RuleRemoved' && event.why === 'expired') {
        if (!isExpired(kept.get(event.id)?.expires_at, command.atMs)) return `rule ${event.id} was lost too early`;
        kept.delete(event.id);
      }
    }
    if (command.type === 'RemoveRule' && 'refusal' in decision === kept.delete(command.id)) return 'taken back wrongly';
    if (command.type === 'AddRule') {
      if ('refusal' in decision) return decision.refusal.reason;
      const ended = [...state.rules.values()].some(({ expires_at }) => isExpired(expires_at, command.atMs));
      if (ended) return 'a rule that has ended is kept';
    }
    const { encode, decode } = machine.snapshot as NonNullable<Machine['snapshot']>;
    state = decode(JSON.parse(JSON.stringify(encode(state))));
    if (JSON.stringify([...state.rules]) !== JSON.stringify([...kept])) return 'the rules are not those that were made';
  }
  return undefined;
}

const lives = fc.array(anyCommand, { maxLength: 20 });

test('the rules that are kept are those that were made, not taken back, and have not ended', () => {
  fc.assert(
    fc.property(lives, (commands) => {
      expect(problemWith(systemDecider, commands)).toBeUndefined();
    }),
  );
});

const MUTANTS: Readonly<Record<string, Machine>> = {
  'a number is used again': withDecide((decide) => (state, command) => {
    const { rules } = state;
    return decide({ ...state, rulings: Math.max(0, ...rules.keys()) }, command);
  }),
  'a rule cannot be taken back': {
    ...systemDecider,
    evolve: (state, event) => (event.type === 'RuleRemoved' ? state : systemDecider.evolve(state, event)),
  },
  'taking back what is not there is fine': withDecide((decide) => (state, command) => {
    const decision = decide(state, command);
    return command.type === 'RemoveRule' && 'refusal' in decision ? { events: [] } : decision;
  }),
  'rules that have ended stay': withDecide((decide) => (state, command) => {
    const decision = decide(state, command);
    if (!('events' in decision)) return decision;
    return { events: decision.events.filter((event) => event.type !== 'RuleRemoved' || event.why !== 'expired') };
  }),
  'a new rule removes all others': withDecide((decide) => (state, command) => {
    const decision = decide(state, command);
    if (command.type !== 'AddRule' || !('events' in decision)) return decision;
    const removed = [...state.rules.keys()].map((id) => ({ type: 'RuleRemoved', id, why: 'expired' }) as const);
    return { events: [...removed.map((event) => ({ ...event, atMs: command.atMs })), ...decision.events] };
  }),
  'a snapshot forgets rules': {
    ...systemDecider,
    snapshot: {
      encode: (state) => systemDecider.snapshot?.encode({ ...state, rules: new Map() }),
      decode: (json) => systemDecider.snapshot?.decode(json) ?? systemDecider.initialState(),
    },
  },
};

function withDecide(change: (decide: Machine['decide']) => Machine['decide']): Machine {
  return { ...systemDecider, decide: change(systemDecider.decide) };
}

describe('it is noticed when', () => {
  test.each(Object.entries(MUTANTS))('%s', (_name, machine) => {
    const found = fc.check(fc.property(lives, (commands) => problemWith(machine, commands) === undefined));
    expect(found.failed).toBe(true);
  });
});
