import { expect, onTestFinished, test } from 'vitest';
import DEFAULT from '../../../src/contracts/envelope/pipelines/default.json' with { type: 'json' };
import type { Pipeline } from '../../../src/contracts/generated/types/pipeline.js';
import { ServerProcess } from '../../server/server-process.js';
import { EnvelopeStage, type Given, type Sent } from './envelope-stage.js';

const once = (stage: string, answer: object) => ({ when: { stage }, answer, times: 1 });
const plan = (plan_id: string, more: object = {}) =>
  once('plan', { plan_id, steps: [{ tool: 'list_files', params: {} }], ...more });
const intent = (...goals: string[]) => once('intent', { intent: 'question', goals });
const ALL = ['find it', 'explain it', 'prove it'];

/** Sent back twice, then one stage is done, then a question, then all but one goal is reached. */
const STORY = [
  ...[intent(...ALL), plan('p-1'), once('critic', { verdict: 'reintent', feedback: 'Look again.' })],
  ...[intent(...ALL), plan('p-2'), once('critic', { verdict: 'reintent', feedback: 'And again.' })],
  ...[intent(...ALL), plan('p-3')],
  once('critic', { verdict: 'next_stage', satisfied_goals: ['find it'], feedback: 'One is done.' }),
  plan('p-4', { clarification_needed: true, clarification_question: 'Which of both?' }),
  ...[intent('explain it', 'prove it'), plan('p-5')],
  once('critic', { verdict: 'approved', satisfied_goals: ['explain it'], unsatisfied_goals: ['prove it'] }),
];

/** The default pipeline, in which the plan may ask, too. */
const ASKING = {
  ...DEFAULT,
  name: 'asking',
  stages: DEFAULT.stages.map((stage) =>
    stage.name === 'plan'
      ? { ...stage, rules: [{ field: 'clarification_needed', equals: true, to: 'clarification' }] }
      : stage,
  ),
} as unknown as Pipeline;

const ROOM = { max_llm_calls: 50, max_agent_hops: 50, max_iterations: 10 };
const ROUND = ['intent', 'plan', 'execution', 'critic'];

function figures(envelope: Given): object {
  const { iteration, llm_call_count, agent_hop_count, current_stage_number } = envelope;
  return { iteration, llm_call_count, agent_hop_count, current_stage_number };
}

function stagesOf({ processing_history }: Given): string[] {
  return (processing_history as { agent: string }[]).map(({ agent }) => agent);
}

/** Told for people too: it is the story the contract is about. */
function tell(envelope: Given): void {
  const { remaining_goals, goal_completion_status, terminal_reason, prior_plans, critic_feedback } = envelope;
  console.log(stagesOf(envelope).join(' → '));
  console.log(JSON.stringify({ ...figures(envelope), terminal_reason, remaining_goals, goal_completion_status }));
  console.log(JSON.stringify({ plans: prior_plans?.map(({ plan_id }) => plan_id), critic_feedback }));
}

function expectWaits(asked: Given): void {
  expect(asked).toMatchObject({
    terminated: false,
    terminal_reason: 'clarification_required',
    current_stage: 'intent',
  });
  expect(asked).toMatchObject({ clarification_pending: true, clarification_question: 'Which of both?' });
  expect(stagesOf(asked)).toEqual(['perception', ...ROUND, ...ROUND, ...ROUND, 'plan']);
  expect(figures(asked)).toEqual({ iteration: 2, llm_call_count: 11, agent_hop_count: 14, current_stage_number: 2 });
  expect(asked).toMatchObject({ all_goals: ALL, remaining_goals: ['explain it', 'prove it'] });
  expect(asked.goal_completion_status).toEqual({
    ...{ 'find it': 'satisfied', 'explain it': 'pending', 'prove it': 'pending' },
  });
}

function expectDone(done: Given): void {
  expect(done).toMatchObject({ terminated: true, terminal_reason: 'completed_successfully', current_stage: 'end' });
  expect(done).toMatchObject({ clarification_pending: false, clarification_response: 'The first.' });
  expect(stagesOf(done)).toEqual(['perception', ...ROUND, ...ROUND, ...ROUND, 'plan', ...ROUND, 'integration']);
  expect(figures(done)).toEqual({ iteration: 2, llm_call_count: 15, agent_hop_count: 19, current_stage_number: 2 });
  expect(done.goal_completion_status).toEqual({ 'explain it': 'satisfied', 'prove it': 'failed' });
  expect(done.remaining_goals).toEqual(['prove it']);
  expect(done.prior_plans?.map(({ plan_id }) => plan_id)).toEqual(['p-1', 'p-2']);
  expect(done.critic_feedback).toEqual(['Look again.', 'And again.']);
  const summary = { feedback: 'One is done.' };
  expect(done.completed_stages).toEqual([{ stage_number: 1, satisfied_goals: ['find it'], summary, plan_id: 'p-3' }]);
  expect(done.errors).toEqual([]);
  tell(done);
}

const answered = (asked: Given): Sent => ({ ...asked, clarification_response: 'The first.' });

test('sent back twice, one stage further, a question answered by another process, then approved [R289] [R352] [R353] [R357]', async () => {
  const stage = new EnvelopeStage();
  stage.pipeline(ASKING);
  const words = ['process', '--pipeline', 'asking', '--agent', stage.bot(STORY)];
  const asked = await stage.command(words, stage.fresh(ROOM));
  expect(asked.exit).toBe(3);
  expectWaits(asked.printed);
  const done = await stage.command(words, answered(asked.printed));
  expect(done.exit).toBe(0);
  expectDone(done.printed);
});

test('the same over HTTP, while the server is killed and started again [R290] [R292] [R354] [R355]', async () => {
  const stage = new EnvelopeStage();
  stage.pipeline(ASKING);
  const server = new ServerProcess(stage.home);
  onTestFinished(() => server.stop());
  await server.start();
  const query = new URLSearchParams({ pipeline: 'asking', agent: stage.bot(STORY), repo: stage.repo });
  const post = async (body: object) => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const url = `${server.url}/api/v1/process?${query}`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return (await response.json()) as Given;
  };
  const asked = await post(stage.fresh(ROOM));
  expectWaits(asked);
  await server.kill();
  await server.start();
  expectDone(await post(answered(asked)));
});
