import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import bareList from '../../../examples/payloads/job-history/bare-list.json' with { type: 'json' };
import three from '../../../examples/payloads/job-history/three-interactions.json' with { type: 'json' };
import { PICKS, RandomLife, runs } from '../../../test/engine/random-life.js';
import { jobHistory } from '../../contracts/job/job-history.js';
import { checkText } from '../../contracts/shared/contract.js';
import type { JobEvent } from '../../core/job/job-messages.js';
import { JobStory, order } from '../../core/job/job-story.js';
import type { EventRow, EventStore } from '../ports.js';
import { historyOf } from '../projections/job-history.js';
import { exportJob } from './export-job.js';
import { importHistory } from './import-history.js';
import { replay } from './replay-history.js';

type Store = Pick<EventStore, 'events' | 'body'>;

function storeOf(
  events: readonly JobEvent[],
  body: Store['body'] = async () => new TextEncoder().encode('a text'),
): Store {
  const rows = events.map(({ type, ...data }, index): EventRow => {
    const rest = { position: index, run: 'x', at: '', actor: '', key: null, epoch: null, hash: '' };
    return { ...rest, seq: index + 1, type, data: JSON.stringify(data) };
  });
  return { events: async (_, after, limit) => rows.slice(after, after + limit), body };
}

describe('an export', () => {
  test('of any job is a history by its contract, replays, and can be imported', async () => {
    await fc.assert(
      fc.asyncProperty(PICKS, async (picks) => {
        const { story, body } = new RandomLife(picks);
        const text = JSON.stringify(await exportJob(storeOf(story.events, body), 'x'));
        expect(checkText(jobHistory, text, { strict: true })).toMatchObject({ allow: true });
        const { interactions } = await historyOf('x', story.events, { body });
        expect(replay(JSON.parse(text))).toEqual({ ok: true, checked: interactions.length });
        const { options } = importHistory(text);
        expect(options).toMatchObject({ prompt: 'Do it.', activate: false, description: 'imported from x' });
        expect(JSON.parse(options.history ?? '')).toEqual(JSON.parse(text));
      }),
      runs(50),
    );
  });

  test('tells what was ordered, and of variables only the names', async () => {
    const story = JobStory.active({ env: ['TOKEN'], checks: [['npm', 'test']], limits: { costMicroUsd: 5_000_000 } });
    const { x_order } = await exportJob(storeOf(story.events), 'x');
    expect(x_order).toEqual({
      name: 'a job',
      prompt: 'a text',
      phases: [
        { name: 'implementation', role: 'Worker', agent: 'worker' },
        { name: 'supervisor-review', role: 'Supervisor', agent: 'supervisor', on_retry: 'implementation' },
      ],
      limits: { cost_usd: 5 },
      timeout_seconds: 60,
      verify: 'strict',
      approve: false,
      checks: [['npm', 'test']],
      protect: [],
      env: ['TOKEN'],
      rank: 0,
    });
  });

  test('of a job that was imported has its past in it', async () => {
    const past = { sha256: 'b'.repeat(64), bytes: 2 };
    const story = new JobStory().tell({ type: 'Submit', order: { ...order(), past }, activate: false });
    const body = async (sha: string) => new TextEncoder().encode(sha === past.sha256 ? '[1]' : 'a text');
    expect(await exportJob(storeOf(story.events, body), 'x')).toMatchObject({ x_past: [1] });
  });

  test('of what is not there is refused', async () => {
    await expect(exportJob(storeOf([]), 'x')).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
  });
});

describe('an import', () => {
  test('takes a bare list, and a history that counts from 1, and says what it made of it [R109]', () => {
    const bare = importHistory(JSON.stringify(bareList));
    expect(bare.warnings).toEqual([]);
    expect(bare.options).toMatchObject({ agent: 'codex', description: 'imported from fix-login-7k2' });
    const from1 = {
      ...three,
      interactions: three.interactions.map((one) => ({ ...one, sequence: one.sequence + 1 })),
      recovery_points: three.recovery_points.map((one) => ({ ...one, sequence: one.sequence + 1 })),
    };
    const { options, warnings } = importHistory(JSON.stringify(from1));
    expect(warnings).toEqual(['it counts from 1: its interactions were numbered anew from 0']);
    expect(JSON.parse(options.history ?? '')).toEqual(three);
    expect(options).toMatchObject({
      prompt: three.interactions[0]?.request.prompt,
      agent: 'codex',
      supervisor: 'claude',
    });
  });

  test('uses no folder, command, variable or freedom from limits that a file names', async () => {
    const repository = { folder: '/home/me', base: null, dirty: false, paths: [] };
    const hostile = {
      setup: ['sh'],
      env: ['AWS_SECRET'],
      checks: [['sh']],
      limits: { costMicroUsd: 0, tokens: 9 },
      repository,
    };
    const text = JSON.stringify(await exportJob(storeOf(JobStory.active(hostile).events), 'x'));
    const { options, warnings } = importHistory(text);
    expect(warnings).toEqual([expect.stringContaining('repo, setup, checks, env')]);
    expect(options.limits).toEqual({ tokens: 9 });
    const { history: _, ...taken } = options;
    for (const field of ['repo', 'setup', 'checks', 'env', 'base']) expect(taken).not.toHaveProperty(field);
  });

  test('says when a history does not replay', () => {
    const edited = structuredClone(three);
    (edited.interactions[0] as { response: { new_status: string } }).response.new_status = 'PENDING';
    const { warnings } = importHistory(JSON.stringify(edited));
    expect(warnings).toEqual([expect.stringContaining('it does not replay: interaction 0')]);
  });

  test.each<[what: string, change: (list: typeof three.interactions) => unknown]>([
    ['a gap', (list) => [list[0], list[2]]],
    ['a part that begins later', (list) => list.map((one) => ({ ...one, sequence: one.sequence + 5 }))],
    ['an empty list', () => []],
    ['an order that is none', (interactions) => ({ ...three, interactions, x_order: { phases: [3] } })],
    ['no JSON', () => undefined],
  ])('of %s is refused', (_, change) => {
    const input = JSON.stringify(change(three.interactions)) ?? '{';
    expect(() => importHistory(input)).toThrow(expect.objectContaining({ code: 'SCHEMA_INVALID' }));
  });
});
