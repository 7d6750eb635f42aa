import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import bareList from '../../../examples/payloads/job-history/bare-list.json' with { type: 'json' };
import document from '../../../examples/payloads/job-history/document-history.json' with { type: 'json' };
import three from '../../../examples/payloads/job-history/three-interactions.json' with { type: 'json' };
import { PICKS, RandomLife, runs } from '../../../test/engine/random-life.js';
import type { JobInteraction } from '../../contracts/generated/types/job-history.js';
import { JobStory } from '../../core/job/job-story.js';
import { historyOf } from '../projections/job-history.js';
import { replay } from './replay-history.js';

const STATUSES = ['DRAFT', 'PENDING', 'RUNNING', 'REVIEWING', 'SUCCESS', 'CANCELED', 'INTERVENTION_REQUIRED'] as const;
const ALL = [...STATUSES, 'HALTED_COST', 'HALTED_TIME'] as const;
const ACTIONS = ['COMPLETED', 'STUCK', 'RETRY'] as const;
const RESPONSES = ['SUCCESS', 'ERROR', 'TIMEOUT'] as const;

const RETRY = { action: 'RETRY', evidence_files: [], summary_for_supervisor: 'Again.' };

async function lived(picks: readonly number[]) {
  const { story, body } = new RandomLife(picks);
  const history = await historyOf('x', story.events, { body });
  return JSON.parse(JSON.stringify(history)) as typeof history;
}

describe('every history our own machine makes', () => {
  test('replays clean, whole and as a bare list [R105, R106]', async () => {
    await fc.assert(
      fc.asyncProperty(PICKS, async (picks) => {
        const history = await lived(picks);
        const clean = { ok: true, checked: history.interactions.length };
        expect(replay(history)).toEqual(clean);
        expect(replay(history.interactions)).toEqual(clean);
      }),
      runs(500),
    );
  });

  test('replays when a limit was raised while somebody worked, who had the time that was left before', async () => {
    const story = JobStory.active({ limits: { activeMs: 40_000 } })
      .prepared()
      .admitted();
    story
      .tell({ type: 'Raise', limits: { activeMs: 0 } })
      .after(41_000)
      .fails('timeout');
    const history = await historyOf('x', story.events, { body: async () => undefined });
    expect(history.interactions[0]?.response.new_status).toBe('RUNNING');
    expect(replay(JSON.parse(JSON.stringify(history)))).toEqual({ ok: true, checked: 1 });
  });

  /** Each turns one interaction into something that did not happen; `undefined` when it cannot. */
  const EDITS: Record<string, (list: JobInteraction[], at: number, pick: number) => JobInteraction[] | undefined> = {
    state_before: (list, at, pick) =>
      changed(list, at, (one) => ({ ...one, state_before: other(ALL, one.state_before, pick) })),
    status: (list, at, pick) => answer(list, at, (one) => ({ status: other(RESPONSES, one.status, pick) })),
    action: (list, at, pick) => answer(list, at, (one) => ({ action: other(ACTIONS, one.action, pick) })),
    new_status: (list, at, pick) => answer(list, at, (one) => ({ new_status: other(ALL, one.new_status, pick) })),
    order: (list, at) => {
      const [one, next] = list.slice(at, at + 2);
      return one && next && [...list.slice(0, at), next, one, ...list.slice(at + 2)];
    },
    deleted: (list, at) => (at < list.length - 1 ? [...list.slice(0, at), ...list.slice(at + 1)] : undefined),
    doubled: (list, at) => [...list.slice(0, at + 1), ...list.slice(at)],
  };

  test.each(Object.entries(EDITS))('with its %s edited fails at the edit [R106]', async (_, edit) => {
    await fc.assert(
      fc.asyncProperty(PICKS, fc.nat(), fc.nat(), async (picks, where, pick) => {
        const history = await lived(picks);
        fc.pre(history.interactions.length > 0);
        const sequence = where % history.interactions.length;
        const interactions = edit(history.interactions, sequence, pick);
        fc.pre(interactions !== undefined);
        expect(replay({ ...history, interactions })).toMatchObject({ ok: false, sequence });
        expect(replay({ ...history, interactions }, { until: sequence })).toEqual({ ok: true, checked: sequence });
      }),
      runs(150),
    );
  });
});

function changed(
  list: JobInteraction[],
  at: number,
  change: (one: JobInteraction) => JobInteraction,
): JobInteraction[] {
  return list.map((one, index) => (index === at ? change(one) : one));
}

type Response = JobInteraction['response'];
function answer(list: JobInteraction[], at: number, change: (one: Response) => Partial<Response>): JobInteraction[] {
  return changed(list, at, (one) => ({ ...one, response: { ...one.response, ...change(one.response) } }));
}

function other<Value>(values: readonly Value[], present: unknown, pick: number): Value {
  const others = values.filter((value) => value !== present);
  return others[pick % others.length] as Value;
}

describe('a history that does not tell its workflow', () => {
  test('replays when some job could have lived so, or as far as is asked [R107]', () => {
    expect(replay(three)).toEqual({ ok: true, checked: 3 });
    expect(replay(bareList)).toEqual({ ok: true, checked: bareList.length });
    expect(replay(three, { until: 2 })).toEqual({ ok: true, checked: 2 });
  });

  test('may count from 1, as the one in the document does; its abbreviated answer is refused', () => {
    expect(replay(document)).toMatchObject({ ok: false, sequence: 1, reason: expect.stringContaining('raw_response') });
    const raw = JSON.stringify({ action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'Done.' });
    const interactions = answer(document.interactions as JobInteraction[], 0, () => ({ raw_response: raw }));
    expect(replay({ ...document, interactions })).toEqual({ ok: true, checked: 1 });
  });

  const list = three.interactions as JobInteraction[];
  test.each<[what: string, sequence: number, interactions: JobInteraction[]]>([
    ['a new status that does not follow', 0, answer(list, 0, () => ({ new_status: 'PENDING' }))],
    ['an end in the middle', 0, answer(list, 0, () => ({ new_status: 'SUCCESS' }))],
    ['the status of another role', 0, answer(list, 0, () => ({ new_status: 'RUNNING' }))],
    ['an action the answer did not say', 0, answer(list, 0, () => ({ action: 'STUCK' }))],
    ['a state nobody works in', 1, changed(list, 1, (one) => ({ ...one, state_before: 'HALTED_COST' }))],
    ['a state that was not reached', 2, changed(list, 2, (one) => ({ ...one, state_before: 'RUNNING' }))],
    ['a timeout that completes', 2, answer(list, 2, () => ({ action: 'COMPLETED' }))],
  ])('fails for %s', (_, sequence, interactions) => {
    expect(replay(interactions)).toMatchObject({ ok: false, sequence });
  });

  test('replays when a person began anew between two tries', async () => {
    const bodies = { body: async () => new TextEncoder().encode(JSON.stringify(RETRY)) };
    const story = JobStory.active().prepared().admitted().answers('RETRY').admitted().answers('RETRY');
    story.tell({ type: 'Rerun' }).admitted().answers('RETRY');
    const { interactions } = await historyOf('x', story.events, bodies);
    expect(replay(interactions)).toEqual({ ok: true, checked: 3 });
  });

  test('fails when a phase is sent back a third time and goes on', () => {
    const retry = list[1] as JobInteraction;
    const worker = { ...retry.request, metadata: { role: 'Worker', phase: 'implementation' } };
    const { handoff: _, attempt: __, ...plain } = retry;
    const again = [0, 1, 2].map((sequence) => ({
      ...plain,
      sequence,
      state_before: 'PENDING' as const,
      request: worker,
    }));
    expect(replay(again)).toMatchObject({ ok: false, sequence: 2, found: 'PENDING' });
  });
});

test('what is no history is refused, and so is a workflow that is none', () => {
  expect(() => replay({ interactions: [] })).toThrow('/job_id is missing');
  const history = { job_id: 'x', created_at: '2026-01-01T00:00:00Z', interactions: [] };
  expect(() => replay({ ...history, x_workflow: { phases: 3 } })).toThrow('/x_workflow');
  expect(replay(history)).toEqual({ ok: true, checked: 0 });
});
