import { describe, expect, test } from 'vitest';
import type { EnvelopeBoard, EnvelopePass, Pipeline } from '../../client/index.js';
import { readPatch } from '../parts/read-patch.js';
import { firstLook, passName, stagesOf, stageWords } from './board-stage.js';
import { goalsOf, isNear, leftWords, nearestBound, shortSpan, stateWords } from './envelope-words.js';
import { drawingOf } from './pipeline-geometry.js';
import { layoutOf, pipelineSummary, waysOf } from './pipeline-ways.js';
import { textPatch } from './text-patch.js';

const LOOP: Pipeline = {
  name: 'loop',
  stages: [
    { name: 'intent', output_key: 'intent', default_next: 'plan' },
    { name: 'plan', output_key: 'plan', default_next: 'critic', error_next: 'end' },
    {
      ...{ name: 'critic', output_key: 'critic', default_next: 'integration' },
      rules: [
        { field: 'verdict', equals: 'reintent', to: 'intent' },
        { field: 'verdict', equals: 'next_stage', to: 'plan' },
        { field: 'sure', equals: false, to: 'critic' },
      ],
    },
    { name: 'integration', output_key: 'integration', default_next: 'end' },
  ],
};
const FORK: Pipeline = {
  name: 'fork',
  stages: [
    { name: 'prepare', output_key: 'prepare', default_next: 'tests', error_next: 'verdict' },
    { name: 'tests', output_key: 'tests', default_next: 'verdict', after: ['prepare'] },
    { name: 'style', output_key: 'style', default_next: 'verdict', after: ['prepare'] },
    { name: 'verdict', output_key: 'verdict', default_next: 'end', after: ['tests', 'style'] },
  ],
};

const ENVELOPE = {
  ...{ envelope_id: 'env_0', request_id: 'req_0', user_id: 'u', session_id: 'sess_0', raw_input: 'x' },
  ...{ outputs: {}, current_stage: 'intent', terminated: false },
};

function pass(number: number, stage: string, given: Partial<EnvelopePass> = {}): EnvelopePass {
  return {
    ...{ number, stage, agent: 'a', handoff: `h${number}`, event: number, iteration: 0, stage_number: 1 },
    ...{ started_at: '2026-01-01T00:00:00.000Z', ended_at: '2026-01-01T00:00:02.000Z', status: 'success', error: null },
    ...{ llm_calls: 1, tries: 1, cost_usd: 0.5, output: `o${number}`, from: null },
    ...given,
  };
}

function board(given: Partial<EnvelopeBoard>): EnvelopeBoard {
  return {
    ...{ run_id: 'env_0', event: 9, events: 9, at: '', ticks: { per: 1, marks: '' }, status: 'running' },
    ...{ envelope: ENVELOPE, pipeline: LOOP, agent: 'a', repository: null, due: [], waiting: [], critic_fires: 0 },
    ...{ bounds: [], cost_usd: 0, tokens: 0, passes: [], moves: [], versions: [], question: null },
    ...given,
  };
}

describe('ways of a pipeline', () => {
  test('what goes back lies above, the next stage below, what is straight ahead between', () => {
    const ways = waysOf(LOOP, [{ from: 'critic', to: 'intent', count: 2 }]);
    expect(ways.map(({ from, to, side, when, count }) => [`${from} ${to}`, side, when, count])).toEqual([
      ['intent plan', 'ahead', [], 0],
      ['plan critic', 'ahead', [], 0],
      ['critic intent', 'above', ['reintent'], 2],
      ['critic plan', 'below', ['next stage'], 0],
      ['critic critic', 'above', ['false'], 0],
      ['critic integration', 'ahead', [], 0],
    ]);
    expect(pipelineSummary(LOOP, ways, 'intent is at work')).toBe(
      'Pipeline loop: intent, plan, critic, integration. critic led to intent twice (reintent). intent is at work.',
    );
  });

  test('stages that run together stand in one column, and what skips them goes below', () => {
    const { places, columns, rows } = layoutOf(FORK);
    expect(places.map(({ stage, column, row }) => `${stage} ${column} ${row}`)).toEqual([
      ...['prepare 0 0', 'tests 1 0', 'style 1 1', 'verdict 2 0'],
    ]);
    expect([columns, rows]).toEqual([3, 2]);
    const over = waysOf(FORK, []).find(({ from, to }) => from === 'prepare' && to === 'verdict');
    expect(over).toMatchObject({ side: 'below', when: ['on failure'] });
  });

  test('however narrow the room, boxes keep their width and do not meet; loops have heights of their own', () => {
    const ways = waysOf(LOOP, []);
    for (const room of [0, 300, 1_100, 2_400]) {
      const { boxes, lines, width, height } = drawingOf(layoutOf(LOOP), ways, room);
      expect(width).toBeGreaterThanOrEqual(room);
      for (const [index, box] of boxes.entries()) {
        const next = boxes[index + 1];
        if (next) expect(box.x + box.width).toBeLessThan(next.x);
        expect(box.x + box.width).toBeLessThanOrEqual(width);
        expect(box.y + 72).toBeLessThan(height);
      }
      const heights = lines.filter(({ side }) => side === 'above').map(({ label }) => label?.y);
      expect(new Set(heights).size).toBe(2);
    }
  });
});

describe('stages of a board', () => {
  test('who is at work, asks, is next, has given, has failed, was never reached', () => {
    const passes = [pass(1, 'intent'), pass(2, 'plan', { status: 'error', output: null }), pass(3, 'critic', RUNNING)];
    const states = (given: Partial<EnvelopeBoard>) => stagesOf(board(given)).map(({ state }) => state);
    expect(states({ passes })).toEqual(['ok', 'bad', 'run', 'never']);
    const question = { item: 1, kind: 'clarification', text: '?', stage: 'intent', expires_at: '' } as const;
    expect(states({ status: 'clarification_required', passes: passes.slice(0, 1), question })[0]).toBe('you');
    expect(states({ status: 'paused', passes: passes.slice(0, 1), due: ['plan'] })[1]).toBe('due');
    // Between the end of a stage and the next version nobody is next.
    expect(states({ passes: passes.slice(0, 1), due: ['intent'] })[0]).toBe('ok');
  });

  test('figures are of all times it was at work, and the last that gave something is looked at first', () => {
    const passes = [pass(1, 'intent'), pass(2, 'plan'), pass(3, 'intent', { iteration: 1 }), pass(4, 'plan', RUNNING)];
    const stages = stagesOf(board({ passes }));
    expect(stages[0]).toMatchObject({ calls: 2, costUsd: 1 });
    expect(stages[0] && stageWords(stages[0], 0)).toBe('4.0 s');
    expect(stages[1] && stageWords(stages[1], Date.parse('2026-01-01T00:01:05.000Z'))).toBe('at work for 1 m 05 s');
    expect(firstLook(stages, board({ passes }))).toBe('intent');
  });

  test('times are told apart by iteration, by stage, or by their number', () => {
    const [first, again, next] = [pass(1, 'plan'), pass(2, 'plan'), pass(3, 'plan', { stage_number: 2, iteration: 1 })];
    expect(passName(first, [first, pass(2, 'plan', { iteration: 1 })])).toBe('iteration 0');
    expect(passName(again, [first, again])).toBe('iteration 0, time 2');
    expect(passName(next, [first, next])).toBe('stage 2, iteration 1');
  });
});

const RUNNING = { status: 'running', ended_at: null, output: null, llm_calls: 0 } as const;

describe('words', () => {
  test('what is left of a bound is said as a number of something, and the nearest one is told', () => {
    expect(leftWords({ name: 'llm_calls', used: 8, max: 10 })).toBe('2 LLM calls left');
    expect(leftWords({ name: 'agent_hops', used: 20, max: 21 })).toBe('1 hop left');
    expect(leftWords({ name: 'iterations', used: 4, max: 3 })).toBe('no iterations left');
    expect(nearestBound([BOUND(1, 3), BOUND(8, 10), BOUND(4, 5)])).toEqual(BOUND(4, 5));
    expect([BOUND(7, 10), BOUND(8, 10), BOUND(0, 0)].map(isNear)).toEqual([false, true, true]);
  });

  test('a goal that is called like something every object has is a goal', () => {
    const completed_stages = [{ stage_number: 2, satisfied_goals: ['toString'] }];
    const goals = { all_goals: ['constructor', 'toString'], goal_completion_status: {}, completed_stages };
    expect(goalsOf({ ...ENVELOPE, ...goals })).toEqual([
      { goal: 'constructor', status: 'pending', stage: null },
      { goal: 'toString', status: 'pending', stage: 2 },
    ]);
  });

  test('every end says what it was, and how it can go on where it can', () => {
    const bounds = [BOUND(10, 10)];
    expect(stateWords(board({ status: 'max_llm_calls_exceeded', bounds, due: ['critic'] }))).toBe(
      '10 of 10 LLM calls are used. Raise max_llm_calls and send it back with terminated false: it goes on at critic.',
    );
    const failed = { ...ENVELOPE, terminated: true, termination_reason: 'stage plan failed: no' };
    expect(stateWords(board({ status: 'tool_failed_fatally', envelope: failed }))).toBe('Stage plan failed: no.');
    const passes = [pass(1, 'tests', RUNNING), pass(2, 'style', RUNNING)];
    expect(stateWords(board({ passes, envelope: { ...ENVELOPE, iteration: 2 } }))).toBe(
      'tests and style are at work; it was sent back twice before.',
    );
  });

  test('short times are told with what can be seen of them', () => {
    expect([3, 940, 1_140, 9_960, 61_000].map(shortSpan)).toEqual(['3 ms', '940 ms', '1.1 s', '9 s', '1 m 01 s']);
  });
});

const BOUND = (used: number, max: number) => ({ name: 'llm_calls', used, max }) as const;

describe('what differs between two texts', () => {
  const lines = (before: string, after: string) =>
    readPatch(textPatch('x', before, after), 1_000)[0]?.lines.map(({ kind, text }) => `${kind} ${text}`) ?? [];

  test('lines that both have stay, and nothing is shown of equal texts', () => {
    expect(lines('a\nb\nc', 'a\nx\nc')).toEqual(['hunk @@ -1 +1 @@', 'same a', 'del b', 'add x', 'same c']);
    expect(textPatch('x', 'a', 'a')).toBe('');
  });

  test('far lines are left out, and numbers are those of the texts', () => {
    const many = Array.from({ length: 40 }, (_, index) => `line ${index}`);
    const changed = many.map((line, index) => (index === 2 || index === 30 ? `${line}!` : line));
    const [file] = readPatch(textPatch('x', many.join('\n'), changed.join('\n')), 1_000);
    expect(file).toMatchObject({ added: 2, removed: 2 });
    expect(file?.lines.filter(({ kind }) => kind === 'hunk')).toHaveLength(2);
    expect(file?.lines.find(({ text }) => text === 'line 30!')).toMatchObject({ after: 31 });
    expect(file?.lines.find(({ text }) => text === 'line 30')).toMatchObject({ before: 31 });
  });

  test('texts of any size are compared, the very long ones as a whole', () => {
    const long = (mark: string) => Array.from({ length: 3_000 }, (_, index) => `${mark} ${index}`).join('\n');
    const [file] = readPatch(textPatch('x', long('a'), long('b')), 10_000);
    expect(file).toMatchObject({ added: 3_000, removed: 3_000 });
  });
});
