import { describe, expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { event } from './event.js';

const report = {
  id: 'v',
  kind: 'task',
  subject: 's',
  stages: [],
  valid: true,
  issues: [],
  confidence: 1,
  human_review_required: false,
};

/** The least that each event of the document needs, under the name it has on the wire. */
const MESSAGES: readonly { type: string; [field: string]: unknown }[] = [
  { type: 'agent_message', message: 'hello' },
  { type: 'exec_approval_request', call_id: 'c', command: ['ls'], cwd: '/srv' },
  { type: 'task_complete', response_id: 'r', last_agent_message: 'done' },
  { type: 'error', message: 'interrupted', code: 'INTERRUPTED' },
  { type: 'turn_complete', response_id: 'r' },
  { type: 'session_configured', session_id: 's', model: 'm', cwd: '/srv', history_log_id: 1, history_entry_count: 0 },
  { type: 'task_started' },
  { type: 'exec_command_begin', call_id: 'c', command: ['ls'], cwd: '/srv' },
  { type: 'exec_command_end', call_id: 'c', stdout: '', stderr: '', exit_code: 0 },
  { type: 'verification_passed', report },
  { type: 'verification_failed', report: { ...report, valid: false } },
  { type: 'agent_status_changed', agent_id: 'a', status: 'busy', previous: 'available' },
  { type: 'lifecycle_event', agent_id: 'a', event: 'Started', from: 'Initialized', to: 'Running' },
  { type: 'cort_trace_available', trace_id: 't', confidence: 0.9 },
  { type: 'visualization_init', diagramId: 'd', totalSteps: 3 },
  { type: 'visualization_step', stepIndex: 0, stepId: 's', description: 'd' },
  { type: 'visualization_end', diagramId: 'd', reason: 'completed' },
];
const judged = (msg: object) => check(event, { id: 'sub-1', msg });

describe('an event', () => {
  test('carries the messages of the document under these names [R528–R536, R542–R549]', () => {
    expect(MESSAGES.filter((msg) => !judged(msg).allow).map((msg) => [msg.type, judged(msg)])).toEqual([]);
  });

  test('is not what it says when a field of its type is missing', () => {
    for (const msg of MESSAGES.filter(({ type }) => type !== 'task_started')) {
      expect(judged({ type: msg.type }), msg.type).toMatchObject({ code: 'MISSING_REQUIRED_INPUT' });
    }
  });

  test('of a type that is not known yet is accepted as it is [R523]', () => {
    expect(judged({ type: 'weather_changed', sky: ['clear'] })).toMatchObject({ allow: true });
    expect(judged({ type: ' ' })).toMatchObject({ code: 'SCHEMA_INVALID' });
  });
});
