import { describe, expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { submission } from './submission.js';

/** The least that each op of the document needs, under the name it has on the wire. */
const OPS: readonly { type: string; [field: string]: unknown }[] = [
  { type: 'user_input', items: [{ type: 'text', text: 'hello' }] },
  { type: 'interrupt' },
  { type: 'exec_approval', id: 'call-1', decision: 'approved' },
  { type: 'configure_session', cwd: '/srv' },
  { type: 'configure_agent', agent_id: 'a', changes: {} },
  { type: 'spawn_sub_agent', spec: { parent_id: 'a', purpose: 'tests' } },
  { type: 'register_agent', agent: { id: 'b', adapter: 'human' } },
  { type: 'lifecycle_transition', agent_id: 'a', to: 'Paused' },
  { type: 'knowledge_update', agent_id: 'a', entries: [{ text: 'Sessions expire' }] },
];
const judged = (op: unknown) => check(submission, { id: 'sub-1', op });

describe('a submission', () => {
  test('carries the ops of the document under these names [R524–R527, R537–R541]', () => {
    expect(OPS.filter((op) => !judged(op).allow)).toEqual([]);
  });

  test.each(OPS)('$type is not taken without any one of its fields', (op) => {
    for (const field of Object.keys(op)) {
      const { [field]: _, ...rest } = op;
      expect(judged(rest)).toMatchObject({ allow: false });
    }
  });

  test('with an op nobody knows is refused by name, but a known op may grow [R521]', () => {
    for (const type of ['dance', 'UserInput', 'USER_INPUT', '']) {
      expect(judged({ type })).toMatchObject({ code: 'SCHEMA_INVALID', details: { path: '/op' } });
    }
    expect(judged({ type: 'interrupt', why: 'lunch' })).toMatchObject({ allow: true });
  });

  test('registers an agent with or without a parent [R579]', () => {
    const agent = { id: 'b', adapter: 'human' };
    expect(judged({ type: 'register_agent', agent, parent_id: 'a' })).toMatchObject({ allow: true });
    expect(judged({ type: 'register_agent', agent, parent_id: '' })).toMatchObject({ code: 'SCHEMA_INVALID' });
  });
});
