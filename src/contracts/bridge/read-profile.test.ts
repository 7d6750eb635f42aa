import { describe, expect, test } from 'vitest';
import { readProfile } from './read-profile.js';

const PHASE = { phase: 2, phase_name: 'review', agent_name: 'critic', required: ['verdict'] };

describe('a registered workflow', () => {
  test('is taken as it stands', () => {
    expect(readProfile({ name: 'reviews', phases: [PHASE] })).toEqual({ name: 'reviews', phases: [PHASE] });
  });

  test.each<[unknown, string]>([
    [null, '/name'],
    [{ name: ' ', phases: [PHASE] }, '/name'],
    [{ name: 'a', phases: [] }, '/phases'],
    [{ name: 'a', phases: [1] }, '/phases/0'],
    [{ name: 'a', phases: [PHASE, { ...PHASE, phase: 10 }] }, '/phases/1/phase'],
    [{ name: 'a', phases: [PHASE, PHASE] }, '/phases/1/phase'],
    [{ name: 'a', phases: [{ ...PHASE, phase: 1.5 }] }, '/phases/0/phase'],
    [{ name: 'a', phases: [{ ...PHASE, phase_name: '' }] }, '/phases/0/phase_name'],
    [{ name: 'a', phases: [{ ...PHASE, agent_name: 3 }] }, '/phases/0/agent_name'],
    [{ name: 'a', phases: [{ ...PHASE, required: [''] }] }, '/phases/0/required'],
  ])('%j is refused by the place that is wrong', (value, path) => {
    expect(readProfile(value)).toMatchObject({ allow: false, code: 'SCHEMA_INVALID', details: { path } });
  });
});
