import { describe, expect, test } from 'vitest';
import { check } from '../shared/contract.js';
import { BUILT_IN } from './built-in-pipelines.js';
import { pipeline } from './pipeline.js';

const stagesOf = (name: string) => BUILT_IN.get(name)?.stages ?? [];

test.each([...BUILT_IN])('the pipeline %s fits the contract to the letter', (_, built) => {
  expect(check(pipeline, built, { strict: true })).toMatchObject({ allow: true });
});

test.each(['default', 'code-analysis'])('%s has the six stages of the document and what each must say', (name) => {
  expect(stagesOf(name).map(({ output_key, required }) => [output_key, required])).toEqual([
    ['perception', ['normalized_input']],
    ['intent', ['intent', 'goals']],
    ['plan', ['plan_id', 'steps']],
    ['execution', ['status', 'results']],
    ['critic', ['verdict']],
    ['integration', ['final_response']],
  ]);
});

test('no stage names an agent, so that the one on the command line answers', () => {
  for (const { stages } of BUILT_IN.values()) expect(stages.filter(({ agent }) => agent !== undefined)).toEqual([]);
});

describe('the review', () => {
  test('runs three stages beside each other and joins all of them', () => {
    const beside = stagesOf('review').filter(({ after }) => after?.includes('prepare'));
    expect(beside.map(({ name }) => name)).toEqual(['tests', 'style', 'security']);
    expect(stagesOf('review').at(-1)).toMatchObject({ after: ['tests', 'style', 'security'], join: 'all' });
  });
});
