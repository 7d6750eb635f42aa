import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PICKS, RandomLife, runs } from '../../../test/engine/random-life.js';
import { jobHistory } from '../../contracts/job/job-history.js';
import { checkText } from '../../contracts/shared/contract.js';
import { BODY, JobStory, reading } from '../../core/job/job-story.js';
import type { Scrubbed } from '../scrub.js';
import { historyOf, type Texts } from './job-history.js';

const TEXTS: Texts = { body: async () => new TextEncoder().encode('a text') };
const inRun = (story: JobStory, texts = TEXTS) => historyOf('x', story.events, texts);

describe('every life a job can have', () => {
  test('makes a history that its contract accepts, one interaction per attempt, counted from 0 [R066, R067]', async () => {
    await fc.assert(
      fc.asyncProperty(PICKS, async (picks) => {
        const { story, body } = new RandomLife(picks);
        const history = await historyOf('x', story.events, { body });
        expect(checkText(jobHistory, JSON.stringify(history), { strict: true })).toMatchObject({ allow: true });
        const ended = story.events.filter(({ type }) => type === 'HandoffEnded').length;
        expect(history.interactions.map(({ sequence }) => sequence)).toEqual(
          Array.from({ length: ended }, (_, at) => at),
        );
      }),
      runs(300),
    );
  });

  test('costs in all what the machine counted, until it is run again from the start [R072, R073]', async () => {
    await fc.assert(
      fc.asyncProperty(PICKS, async (picks) => {
        const { story, body } = new RandomLife(picks);
        fc.pre(!story.events.some((event) => event.type === 'PhaseSet' && event.zeroed));
        fc.pre(!['asking', 'collecting', 'checking', 'ended'].includes(story.live.stage.name));
        const { interactions } = await historyOf('x', story.events, { body });
        const setupMs = story.events.reduce(
          (sum, event) => sum + (event.type === 'WorkspacePrepared' ? event.setupMs : 0),
          0,
        );
        const sum = (of: 'cost_usd' | 'execution_time_seconds') =>
          interactions.reduce((all, { response }) => all + response[of], 0);
        expect(Math.round(sum('cost_usd') * 1e6)).toBe(story.live.spent.costMicroUsd);
        expect(Math.round(sum('execution_time_seconds') * 1e3)).toBe(story.live.spent.activeMs - setupMs);
      }),
    );
  });
});

test('an answer is told as it was asked and as it came [R069, R070]', async () => {
  const texts = new Map([
    ['q', '{"context_files":["spec.md"]}'],
    ['r', '{"action":"COMPLETED","x_usage":{"model":"large"}}'],
    ['s', 'Done.'],
  ]);
  const ref = (sha256: string) => ({ sha256, bytes: 1 });
  const story = JobStory.active().prepared().admitted().after(2_500);
  const usage = { inputTokens: 3, outputTokens: 4, costMicroUsd: 1_250 };
  story.result({ type: 'Answered', key: 'h1', answer: ref('r'), request: ref('q'), usage });
  story.collected(reading('COMPLETED', { summary: ref('s'), missing: ['b.js'] }));
  const history = await inRun(story, { body: async (sha) => new TextEncoder().encode(texts.get(sha)) });
  expect(history.interactions).toEqual([
    {
      sequence: 0,
      timestamp: '1970-01-01T00:00:01.000Z',
      state_before: 'PENDING',
      workspace_path: '/work',
      handoff: 'x/h1',
      attempt: 1,
      request: {
        prompt: '{"context_files":["spec.md"]}',
        files_context: ['spec.md'],
        metadata: { role: 'Worker', phase: 'implementation', agent: 'worker', model: 'large' },
      },
      response: {
        status: 'SUCCESS',
        action: 'COMPLETED',
        evidence_files: ['b.js'],
        summary_for_supervisor: 'Done.',
        raw_response: '{"action":"COMPLETED","x_usage":{"model":"large"}}',
        execution_time_seconds: 2.5,
        cost_usd: 0.00125,
        new_status: 'REVIEWING',
      },
      x_attempt: {
        cause: null,
        reason: null,
        tokens: 7,
        by_hand: false,
        wait_seconds: null,
        since: [{ at: '1970-01-01T00:00:01.000Z', what: 'workspace', seconds: 0 }],
      },
    },
  ]);
  expect(history.recovery_points).toEqual([
    {
      id: 'p1',
      checkpoint_id: 'p1',
      sequence: 0,
      can_resume_from: true,
      description: 'after implementation',
      resume_phase: 'supervisor-review',
      metadata: { confidence: 'low', evidence_count: 0 },
      commit: 'c0ffee',
      created_at: '1970-01-01T00:00:03.500Z',
    },
  ]);
});

describe('what did not go well', () => {
  const active = (changes = {}) => JobStory.active(changes).prepared().admitted();
  const told = async (story: JobStory) => (await inRun(story)).interactions.map(({ response }) => response);

  test('carries the action that the matrix took', async () => {
    const story = active().fails('network').woke().admitted().after(60_000).fails('timeout');
    expect(await told(story)).toMatchObject([
      { status: 'ERROR', action: 'RETRY', raw_response: '', new_status: 'RUNNING' },
      { status: 'TIMEOUT', action: 'STUCK', raw_response: '', new_status: 'INTERVENTION_REQUIRED' },
    ]);
  });

  test('keeps the raw text of an answer that was none', async () => {
    const story = active().answers(null, { fault: { kind: 'schema', reason: 'no object' } });
    expect(await told(story)).toMatchObject([{ status: 'ERROR', action: 'STUCK', raw_response: 'a text' }]);
  });

  test('is a RETRY when a check or strict evidence turned COMPLETED down', async () => {
    const missing = { fault: { kind: 'evidence', reason: 'gone' }, missing: ['a'] } as const;
    const story = active({ checks: [['npm', 'test']] })
      .answers('COMPLETED')
      .checked([1])
      .admitted();
    expect(await told(story.answers('COMPLETED', missing))).toMatchObject([
      { status: 'SUCCESS', action: 'RETRY', new_status: 'PENDING' },
      { status: 'SUCCESS', action: 'RETRY', new_status: 'PENDING' },
    ]);
  });

  test('is an ERROR and a RETRY when a crash cut it off, and names the request as it is composed again', async () => {
    const { interactions } = await inRun(active().lost());
    expect(interactions).toMatchObject([
      {
        request: { prompt: expect.stringContaining('never recorded') },
        response: { status: 'ERROR', action: 'RETRY' },
      },
    ]);
    const composed = async ({ phase }: { phase: string }) => `Please do ${phase}.` as Scrubbed;
    const again = await inRun(active().lost(), { ...TEXTS, composed });
    expect(again.interactions[0]?.request.prompt).toBe('Please do implementation.');
  });

  test('was stopped by a limit: TIMEOUT for time, else ERROR', async () => {
    const late = active({ limits: { activeMs: 5_000 } })
      .after(5_000)
      .fails('timeout');
    const dear = active({ limits: { costMicroUsd: 5 } });
    dear.result({
      type: 'Failed',
      key: 'h1',
      failure: 'network',
      reason: 'x',
      usage: { inputTokens: 0, outputTokens: 0, costMicroUsd: 5 },
    });
    expect([...(await told(late)), ...(await told(dear))]).toMatchObject([
      { status: 'TIMEOUT', action: 'RETRY', new_status: 'HALTED_TIME' },
      { status: 'ERROR', action: 'RETRY', new_status: 'HALTED_COST' },
    ]);
  });
});

test('an attempt that is under way or was called off is no interaction yet', async () => {
  const story = JobStory.active().prepared().admitted();
  expect((await inRun(story)).interactions).toEqual([]);
  expect((await inRun(story.tell({ type: 'Cancel' }))).interactions).toEqual([]);
});

test('an answer by hand that waits for its workspace does not take the time of setting it up', async () => {
  const story = JobStory.active().tell({ type: 'PostStep', handoff: null, role: 'Worker', answer: BODY });
  const workspace = { folder: '/work', branch: null, base: null, setupMs: 700, leftOut: 0 };
  story.result({ type: 'Performed', key: 'workspace', result: workspace }).collected(reading('COMPLETED'));
  expect((await inRun(story)).interactions).toMatchObject([
    {
      request: { prompt: expect.stringContaining('Nobody was asked') },
      response: { execution_time_seconds: 0 },
      x_attempt: { since: [{ what: 'workspace', seconds: 0.7 }] },
    },
  ]);
});

test('an answer by hand says so and took no time', async () => {
  const story = JobStory.active().prepared().admitted().after(9_000);
  story.tell({ type: 'PostStep', handoff: null, role: 'Worker', answer: BODY }).collected(reading('COMPLETED'));
  expect((await inRun(story)).interactions).toMatchObject([
    { response: { execution_time_seconds: 0, cost_usd: 0 }, x_attempt: { by_hand: true } },
  ]);
});
