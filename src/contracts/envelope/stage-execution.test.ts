import { expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { stageExecution } from './stage-execution.js';

test('the result of a step is whatever the tool gave back, or nothing at all [R312]', () => {
  const step = { step_index: 0, tool: 'read_file' };
  for (const result of ['text', 7, null, false, [1], { a: {} }]) {
    expect(check(stageExecution, { status: 'success', results: [{ ...step, result }] })).toMatchObject({ allow: true });
  }
  expect(check(stageExecution, { status: 'success', results: [step] })).toMatchObject({ allow: true });
});
