import { describe, expect, test } from 'vitest';
import minimal from '../../../examples/payloads/envelope/minimal-v1.0.json' with { type: 'json' };
import type { Envelope } from '../../contracts/generated/types/envelope.js';
import { type Bound, boundReached, boundSentence, type Counters, canContinue } from './bounds.js';

const room: Counters = {
  iteration: 3,
  max_iterations: 3,
  llm_call_count: 9,
  max_llm_calls: 10,
  agent_hop_count: 20,
  max_agent_hops: 21,
};
const fires = { count: 2, max: 2 };
/** Each reaches one bound and none of those before it. */
const REACHED: [Bound, Counters, { count: number; max: number }, string][] = [
  ['max_iterations_exceeded', { ...room, iteration: 4 }, fires, 'the work was sent back 4 times, and 3 are allowed'],
  ['max_llm_calls_exceeded', { ...room, llm_call_count: 11 }, fires, '11 of 10 LLM calls are used'],
  ['max_agent_hops_exceeded', { ...room, agent_hop_count: 21 }, fires, '21 of 21 agent hops are used'],
  [
    'max_critic_fires_exceeded',
    room,
    { count: 3, max: 2 },
    'the critic sent the work back 3 times in a row, and 2 are allowed',
  ],
];

describe('the bounds of an envelope', () => {
  test('leave room up to the last one allowed', () => {
    expect(boundReached(room, fires)).toBeNull();
    expect(boundReached(room, { count: 1_000 })).toBeNull();
  });

  test.each(REACHED)('%s is reached at its figure, and says so in words', (bound, counters, fired, words) => {
    expect(boundReached(counters, fired)).toBe(bound);
    expect(boundSentence(bound, counters, fired)).toBe(words);
  });

  test('calls and hops are used up when their number is reached, before it is passed', () => {
    expect(boundReached({ ...room, llm_call_count: 10 }, fires)).toBe('max_llm_calls_exceeded');
    expect(boundReached({ ...room, agent_hop_count: 21 }, fires)).toBe('max_agent_hops_exceeded');
  });

  test('are tried in the order of the contract', () => {
    const all = { ...room, iteration: 9, llm_call_count: 99, agent_hop_count: 99 };
    const over = { count: 9, max: 0 };
    expect(boundReached(all, over)).toBe('max_iterations_exceeded');
    expect(boundReached({ ...all, iteration: 0 }, over)).toBe('max_llm_calls_exceeded');
    expect(boundReached({ ...all, iteration: 0, llm_call_count: 0 }, over)).toBe('max_agent_hops_exceeded');
  });
});

describe('whether an envelope can go on', () => {
  const envelope = minimal as Envelope;
  const zero = { iteration: 0, llm_call_count: 0, agent_hop_count: 0 };
  const ended = { terminated: true, terminal_reason: 'denied_by_policy' } as const;

  test.each<[string, Partial<Envelope>, object]>([
    ['a new one can', {}, { can_continue: true, terminal_reason: null }],
    ['an ended one cannot, and says why', ended, { can_continue: false, terminal_reason: 'denied_by_policy' }],
    ['one that ended without a reason cannot', { terminated: true }, { can_continue: false, terminal_reason: null }],
    ['one that asked cannot', { clarification_pending: true }, { can_continue: false, terminal_reason: null }],
    [
      'one that waits for a yes cannot, whatever else holds',
      { confirmation_pending: true, terminal_reason: 'confirmation_required', llm_call_count: 10 },
      { can_continue: false, terminal_reason: null, llm_call_count: 10 },
    ],
    [
      'one whose calls are used up cannot',
      { llm_call_count: 10 },
      { can_continue: false, terminal_reason: 'max_llm_calls_exceeded', llm_call_count: 10 },
    ],
    [
      'one that was answered can, although it still says why it waited',
      { terminal_reason: 'clarification_required', iteration: 1, agent_hop_count: 2 },
      { can_continue: true, terminal_reason: null, iteration: 1, agent_hop_count: 2 },
    ],
  ])('%s', (_, change, expected) => {
    expect(canContinue({ ...envelope, ...change })).toEqual({ ...zero, ...expected });
  });
});
