import { expect, test } from 'vitest';
import schema from '../../../schemas/agent-request.json' with { type: 'json' };
import { checkAgainstProfile, TEMPLATE_CREATE } from './bridge-profile.js';

const { phases } = TEMPLATE_CREATE;

test('template-create has exactly the names that the schema of the document closes', () => {
  const { phase_name, agent_name } = schema.properties;
  expect(phases.map((row) => row.phase_name)).toEqual(phase_name.enum);
  expect([...new Set(phases.map((row) => row.agent_name))]).toEqual(agent_name.enum);
});

test('a request fits a profile when number, phase and agent are those of one row', () => {
  for (const row of phases) expect(checkAgainstProfile(row, TEMPLATE_CREATE)).toBe(true);
  const row = { phase: 7, phase_name: 'agent_enhancement', agent_name: 'agent-content-enhancer' };
  const changed = [{ phase: 2 }, { phase_name: 'agent_creation' }, { agent_name: 'architectural-reviewer' }];
  for (const change of changed) {
    const [field] = Object.keys(change);
    expect(checkAgainstProfile({ ...row, ...change }, TEMPLATE_CREATE)).toMatchObject({
      code: 'SCHEMA_INVALID',
      details: { path: `/${field}`, profile: 'template-create' },
    });
  }
});
