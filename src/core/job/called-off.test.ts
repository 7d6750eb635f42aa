import { describe, expect, test } from 'vitest';
import { BODY, JobStory } from './job-story.js';

describe('what an agent has used until it is called off', () => {
  const usage = { inputTokens: 300, outputTokens: 200, costMicroUsd: 7 };
  const of = (handoff: string, attempt: number) => ({ used: { handoff, attempt, usage } });
  const advice = { type: 'Advise', advice: BODY, now: true } as const;
  const answer = { type: 'PostStep', handoff: null, role: 'Worker', answer: BODY } as const;
  const asked = () => JobStory.active().prepared().admitted();

  test.each([{ type: 'Cancel' } as const, advice, answer])('is counted: $type', (command) => {
    expect(asked().tell({ ...command, ...of('h1', 1) }).live.spent.tokens).toBe(500);
  });

  test.each([{ type: 'Cancel' } as const, advice, answer])('is not counted twice by $type', (command) => {
    const again = asked()
      .tell({ ...advice, ...of('h1', 1) })
      .admitted();
    expect(again.tell({ ...command, ...of('h1', 1) }).live.spent.tokens).toBe(500);
  });

  test('is not counted when its answer was faster', () => {
    const story = asked().answers('COMPLETED').admitted();
    const { tokens } = story.live.spent;
    expect(story.tell({ type: 'Cancel', ...of('h1', 1) }).live.spent.tokens).toBe(tokens);
  });
});
