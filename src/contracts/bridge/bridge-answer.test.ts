import { describe, expect, test } from 'vitest';
import { getConfidence, isSuccess, reportedConfidence } from './bridge-answer.js';
import { gateOf, judgeConfidence } from './confidence-gate.js';

test('only success is success [R206]', () => {
  const statuses = ['success', 'error', 'timeout', 'cancelled'] as const;
  expect(statuses.filter((status) => isSuccess({ status }))).toEqual(['success']);
});

test('confidence is what the handler says, else what the answer says of itself, else 0.0 [R207]', () => {
  const own = JSON.stringify({ overall_confidence: 0.8, confidence: 0.3 });
  const answers: [response: string | undefined, metadata: { confidence?: number }, reported: number | null][] = [
    [own, { confidence: 0.92 }, 0.92],
    [own, { confidence: 0 }, 0],
    [own, {}, 0.8],
    ['{"confidence": 1}', {}, 1],
    ['{"confidence": 95}', {}, null],
    ['{"confidence": "0.9"}', {}, null],
    ['[0.9]', {}, null],
    ['no JSON', {}, null],
    [undefined, {}, null],
  ];
  for (const [response, metadata, reported] of answers) {
    const answer = { ...(response !== undefined && { response }), metadata };
    expect(reportedConfidence(answer)).toBe(reported);
    expect(getConfidence(answer)).toBe(reported ?? 0);
  }
  expect(getConfidence({})).toBe(0);
});

describe('the gate', () => {
  const usual = gateOf({ phase: 1, phase_name: 'codebase_analysis' });

  test.each([
    [0.85, true, null],
    [0.849, true, 'confidence 0.849 is below 0.85'],
    [0.7, true, 'confidence 0.7 is below 0.85'],
    [0.699, false, 'confidence 0.699 is below 0.7'],
    [0, false, 'confidence 0 is below 0.7'],
    [null, true, 'the answer does not say how sure it is'],
  ])('judges %s', (confidence, pass, warning) => {
    expect(judgeConfidence(confidence, usual)).toEqual({ pass, warning });
  });

  test('is lower for agent_enhancement', () => {
    const lower = { go: 0.8, warn: 0.6 };
    expect(gateOf({ phase: 7, phase_name: 'other' })).toEqual(lower);
    expect(gateOf({ phase: 2, phase_name: 'agent_enhancement' })).toEqual(lower);
    expect(usual).toEqual({ go: 0.85, warn: 0.7 });
  });
});
