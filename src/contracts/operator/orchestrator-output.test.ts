import { describe, expect, test } from 'vitest';
import oneStep from '../../../examples/payloads/orchestrator-output/one-step.json' with { type: 'json' };
import { check } from '../shared/contract.js';
import { orchestratorOutput } from './orchestrator-output.js';

const [packet] = oneStep.assignments;
const [first, second] = oneStep.ledger_delta;

describe('an orchestrator output', () => {
  test('hands out only packets that hold by themselves, and says where one does not', () => {
    const broken = { ...packet, task: { ...packet?.task, title: ' ' } };
    expect(check(orchestratorOutput, { ...oneStep, assignments: [packet, broken] })).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { path: '/assignments/1/task/title' },
    });
  });

  test('hands out only packets of its own run', () => {
    const foreign = { ...packet, run_id: '8c1d1f0a-6f0e-4b53-9d0a-2f7f3a5f9b11' };
    expect(check(orchestratorOutput, { ...oneStep, assignments: [foreign] })).toMatchObject({
      code: 'NON_COMPLIANT',
      details: { path: '/assignments/0/run_id', expected: oneStep.run_id },
    });
  });

  test('may repeat a delta, but not reuse its id for another [R411]', () => {
    const repeated = { ...oneStep, ledger_delta: [first, second, first] };
    expect(check(orchestratorOutput, repeated)).toMatchObject({ allow: true });
    const reused = { ...oneStep, ledger_delta: [first, { ...second, delta_id: first?.delta_id }] };
    expect(check(orchestratorOutput, reused)).toMatchObject({
      code: 'KEY_REUSED',
      details: { delta_id: first?.delta_id, path: '/ledger_delta/1/delta_id' },
    });
  });

  test('names blockers by codes of the error catalogue [R416]', () => {
    const blocked = (code: string) =>
      check(orchestratorOutput, { ...oneStep, blockers: [{ task_id: 'T-1', code, reason: 'r' }] });
    expect(blocked('LOCK_CONFLICT')).toMatchObject({ allow: true });
    for (const code of ['OUT_OF_COFFEE', 'constructor', 'TOSTRING']) {
      expect(blocked(code)).toMatchObject({ code: 'SCHEMA_INVALID', details: { path: '/blockers/0/code' } });
    }
  });
});
