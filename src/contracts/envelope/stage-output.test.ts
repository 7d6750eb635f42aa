import { describe, expect, test } from 'vitest';
import type { PipelineStage } from '../generated/types/pipeline.js';
import { schemas } from '../generated/validators/schemas.js';
import { BUILT_IN } from './built-in-pipelines.js';
import { outputProblem, outputSchema } from './stage-output.js';

const STAGES = BUILT_IN.get('default')?.stages ?? [];
const own: PipelineStage = { name: 'own', output_key: 'own', required: ['score'], default_next: 'end' };
const stageOf = (key: string) => STAGES.find(({ output_key }) => output_key === key) ?? own;

describe('the output of a stage', () => {
  test.each<[string, object]>([
    ['perception', { normalized_input: 'x', colour: 'kept' }],
    ['intent', { intent: 'explain', goals: ['g'] }],
    ['plan', { plan_id: 'p', steps: [] }],
    ['execution', { status: 'success', results: [] }],
    ['critic', { verdict: 'approved' }],
    ['integration', { final_response: 'done' }],
    ['own', { score: 0 }],
  ])('of %s holds when it says what it must', (key, output) => {
    expect(outputProblem(stageOf(key), output)).toBeNull();
    const [first = ''] = stageOf(key).required ?? [];
    const { [first]: _, ...without } = output as Record<string, unknown>;
    expect(outputProblem(stageOf(key), without)).toBe(`/${first} is missing`);
    expect(outputProblem(stageOf(key), { ...output, [first]: null })).not.toBeNull();
  });

  test('is held against the document where it describes it', () => {
    expect(outputProblem(stageOf('critic'), { verdict: 'maybe' })).toMatch(/^\/verdict must be one of/);
    expect(outputProblem(stageOf('intent'), { intent: 'x', goals: 'all' })).toBe('/goals must be array');
  });

  test('needs what its stage requires beyond the document', () => {
    const stage = { ...stageOf('intent'), required: ['confidence'] };
    expect(outputProblem(stage, { intent: 'x', goals: [] })).toBe('/confidence is missing');
  });

  test('is not found among what every object has', () => {
    expect(outputProblem({ ...own, required: ['toString'] }, {})).toBe('/toString is missing');
  });

  test.each([[null], [[]], ['text'], [7], [undefined]])('is an object, not %j', (output) => {
    expect(outputProblem(own, output)).toBe('the output must be an object');
  });
});

describe('the schema an agent answers with', () => {
  test('is the one of the document, with what the stage requires', () => {
    const stage = { ...stageOf('intent'), required: ['goals', 'confidence'] };
    expect(outputSchema(stage, schemas)).toEqual({
      ...schemas['stage-intent'],
      required: ['intent', 'goals', 'confidence'],
    });
  });

  test('is any object with the required fields where the document is silent', () => {
    expect(outputSchema(own, schemas)).toEqual({ type: 'object', required: ['score'] });
  });
});
