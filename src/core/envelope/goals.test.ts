import { describe, expect, test } from 'vitest';
import { envelopeOf, GOOD, Played, pipelineOf, stageOf } from '../../../test/envelopes/stage-kit.js';

const atCritic = (changes: object = {}): Played =>
  new Played(undefined, envelopeOf(changes)).well('perception', 'intent', 'plan', 'execution');

describe('goals', () => {
  test('[R352] begin with the intent: all of them remain, each pending', () => {
    const { envelope } = new Played().well('perception', 'intent');
    expect(envelope).toMatchObject({
      all_goals: ['find it', 'explain it'],
      remaining_goals: ['find it', 'explain it'],
      goal_completion_status: { 'find it': 'pending', 'explain it': 'pending' },
    });
  });

  test('[R352] stand once, however often the intent says one, and may be called like what every object has', () => {
    const goals = ['toString', 'a', 'a', '__defineGetter__'];
    const { envelope } = new Played().well('perception').say({ intent: { intent: 'x', goals } });
    expect(envelope.all_goals).toEqual(['toString', 'a', '__defineGetter__']);
    expect(envelope.goal_completion_status).toEqual({ toString: 'pending', a: 'pending', __defineGetter__: 'pending' });
  });

  test('that are satisfied leave, with an approval or a next stage', () => {
    for (const verdict of ['approved', 'next_stage']) {
      const { envelope } = atCritic().say({ critic: { verdict, satisfied_goals: ['find it', 'never set'] } });
      expect(envelope.remaining_goals).toEqual(['explain it']);
      expect(envelope.goal_completion_status).toEqual({ 'find it': 'satisfied', 'explain it': 'pending' });
    }
  });

  test('that an approval does not name are satisfied, but for those it names as missing', () => {
    expect(atCritic().well('critic').envelope.remaining_goals).toEqual([]);
    const { envelope } = atCritic().say({ critic: { verdict: 'approved', unsatisfied_goals: ['explain it'] } });
    expect(envelope.remaining_goals).toEqual(['explain it']);
  });

  test('[R353] that are left at the end have failed', () => {
    const { envelope } = atCritic()
      .say({ critic: { verdict: 'approved', satisfied_goals: ['find it'] } })
      .well('integration');
    expect(envelope).toMatchObject({ terminal_reason: 'completed_successfully', remaining_goals: ['explain it'] });
    expect(envelope.goal_completion_status).toEqual({ 'find it': 'satisfied', 'explain it': 'failed' });
  });

  test('[R353] that failed with a bound are pending again when the bound is raised', () => {
    const played = new Played(undefined, envelopeOf({ max_agent_hops: 2 })).well('perception', 'intent');
    expect(played.envelope.goal_completion_status).toEqual({ 'find it': 'failed', 'explain it': 'failed' });
    expect(played.send({ max_agent_hops: 9, terminated: false })).toBeNull();
    expect(played.envelope.goal_completion_status).toEqual({ 'find it': 'pending', 'explain it': 'pending' });
  });
});

describe('a critic that wants it done again', () => {
  const reintent = { verdict: 'reintent', feedback: 'look closer', satisfied_goals: ['find it'] };

  test('[R357] appends what it says and the plan, and leads to the intent', () => {
    const played = atCritic().say({ critic: reintent });
    expect(played.due).toEqual(['intent']);
    expect(played.envelope).toMatchObject({
      ...{ iteration: 1, current_stage: 'intent', critic_feedback: ['look closer'], prior_plans: [GOOD.plan] },
      remaining_goals: ['find it', 'explain it'],
    });
    played.well('intent', 'plan', 'execution').say({ critic: { ...reintent, feedback: 'closer still' } });
    expect(played.envelope.critic_feedback).toEqual(['look closer', 'closer still']);
    expect(played.envelope.prior_plans).toEqual([GOOD.plan, GOOD.plan]);
  });

  test('takes away what was made behind the intent, and nothing else', () => {
    const { outputs } = atCritic({ outputs: { mine: { kept: true } } }).say({ critic: reintent }).envelope;
    expect(Object.keys(outputs).sort()).toEqual(['intent', 'mine', 'perception']);
  });

  test('without words appends none', () => {
    expect(atCritic().say({ critic: { verdict: 'reintent' } }).envelope.critic_feedback).toEqual([]);
  });

  test('lets the goals begin anew with the next intent', () => {
    const played = atCritic().say({ critic: { verdict: 'next_stage', satisfied_goals: ['find it'] } });
    played.well('plan', 'execution').say({ critic: reintent });
    played.say({ intent: { intent: 'x', goals: ['another'] } });
    expect(played.envelope.goal_completion_status).toEqual({ another: 'pending' });
  });
});

describe('a critic that wants the next stage', () => {
  const next = { verdict: 'next_stage', satisfied_goals: ['find it'], feedback: 'good', confidence: 0.9 };

  test('[R356] is led to the plan while goals and stages are left, without an iteration', () => {
    const played = atCritic().say({ critic: next });
    expect(played.due).toEqual(['plan']);
    expect(played.envelope).toMatchObject({ iteration: 0, current_stage_number: 2 });
    expect(played.envelope.completed_stages).toEqual([
      {
        ...{ stage_number: 1, satisfied_goals: ['find it'], plan_id: 'plan_1' },
        summary: { feedback: 'good', confidence: 0.9 },
      },
    ]);
  });

  test('is led to the integration when no goal is left', () => {
    const played = atCritic().say({ critic: { ...next, satisfied_goals: ['find it', 'explain it'] } });
    expect(played.due).toEqual(['integration']);
    expect(played.envelope).toMatchObject({ current_stage_number: 1, remaining_goals: [] });
    expect(played.envelope.completed_stages).toHaveLength(1);
  });

  test('[R356] is led to the integration when five stages are used up, whatever is left', () => {
    const played = atCritic({ max_llm_calls: 99, max_agent_hops: 99 });
    for (const number of [2, 3, 4, 5]) {
      played.say({ critic: { verdict: 'next_stage', satisfied_goals: [] } });
      expect(played.envelope.current_stage_number).toBe(number);
      played.well('plan', 'execution');
    }
    played.say({ critic: { verdict: 'next_stage', satisfied_goals: [] } });
    expect(played.due).toEqual(['integration']);
    expect(played.envelope).toMatchObject({ current_stage_number: 5, max_stages: 5 });
    expect(played.envelope.completed_stages).toHaveLength(5);
  });

  test('has no plan id where the plan has none', () => {
    const played = new Played().well('perception', 'intent').say({ plan: { plan_id: 7, steps: [] } });
    played.well('execution').say({ critic: next });
    expect(played.envelope.completed_stages).toMatchObject([{ plan_id: null }]);
  });

  test('goes where an approval leads when there is no next one, also where that is not the usual way', () => {
    const pipeline = pipelineOf([
      stageOf('plan', { default_next: 'critic' }),
      stageOf('critic', { default_next: 'plan', rules: [{ field: 'verdict', equals: 'approved', to: 'end' }] }),
    ]);
    const played = new Played(pipeline).well('plan').say({ critic: next });
    expect(played.envelope).toMatchObject({ terminal_reason: 'completed_successfully', iteration: 0 });
  });
});

describe('max_critic_fires', () => {
  const pipeline = (max: number) =>
    pipelineOf(
      [
        stageOf('plan', { default_next: 'critic' }),
        stageOf('critic', {
          rules: [
            { field: 'verdict', equals: 'reintent', to: 'plan' },
            { field: 'verdict', equals: 'next_stage', to: 'plan' },
          ],
        }),
      ],
      { max_critic_fires: max },
    );
  const roomy = { max_iterations: 99, max_llm_calls: 99, max_agent_hops: 99, remaining_goals: ['g'], all_goals: ['g'] };
  const fire = (played: Played): Played => played.well('plan').say({ critic: { verdict: 'reintent' } });

  test('may be reached and not passed', () => {
    const played = fire(fire(new Played(pipeline(2), envelopeOf(roomy))));
    expect(played.due).toEqual(['plan']);
    expect(fire(played).envelope).toMatchObject({ terminal_reason: 'max_critic_fires_exceeded', terminated: true });
  });

  test('counts anew after a next stage', () => {
    const played = fire(fire(new Played(pipeline(2), envelopeOf(roomy))));
    played.well('plan').say({ critic: { verdict: 'next_stage' } });
    expect(fire(fire(played)).due).toEqual(['plan']);
    expect(fire(played).envelope.terminal_reason).toBe('max_critic_fires_exceeded');
  });

  test('of none is passed with the first', () => {
    expect(fire(new Played(pipeline(0), envelopeOf(roomy))).envelope.terminated).toBe(true);
  });
});
