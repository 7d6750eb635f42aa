import { describe, expect, test } from 'vitest';
import type { WireEvent } from '../../engine/session/session-desk.js';
import { SessionTrack } from './session-track.js';

const tracked = (...events: WireEvent[]): SessionTrack => {
  const track = new SessionTrack();
  for (const event of events) track.take(event);
  return track;
};
const of = (id: string, seq: number, type: string): WireEvent => ({ id, seq, msg: { type } });
const delta: WireEvent = { id: 'old', msg: { type: 'agent_message_delta', item_id: 'i', offset: 0, delta: 'x' } };
const interrupted: WireEvent = { id: 'old', seq: 9, msg: { type: 'error', code: 'INTERRUPTED' } };

describe('whoever comes in the middle of a task', () => {
  test.each([of('old', 8, 'exec_command_begin'), of('old', 8, 'token_count'), of('old', 8, 'turn_complete'), delta])(
    'knows by $msg.type that it runs, and sees its end',
    (event) => {
      expect(tracked(event).task).toBe('old');
      expect(tracked(event, interrupted)).toMatchObject({ task: null, end: { id: 'old', type: 'error' } });
    },
  );

  test('knows that none runs by what is told without one', () => {
    const configured = of('c', 8, 'session_configured');
    expect(tracked(configured, { id: 'x', msg: { type: 'warning', code: 'REPEATED' } }).task).toBeNull();
  });
});

test('what a command still prints after its task has ended is no task', () => {
  expect(tracked(of('old', 8, 'turn_complete'), interrupted, delta).task).toBeNull();
  expect(tracked(of('old', 7, 'task_started'), of('old', 8, 'task_complete'), delta).task).toBeNull();
});
