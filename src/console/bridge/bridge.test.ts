import { describe, expect, test } from 'vitest';
import type { BridgeBoard, BridgeCrossing, BridgeFile, BridgeRound } from '../../client/index.js';
import { crossingStop, firstCrossing, partsOf, roundStop, rowsOf, rowWords, verdictOf } from './bridge-rows.js';
import { bridgeCommand, bridgeWords, isNearEnd } from './bridge-words.js';
import { fileMarks } from './file-marks.js';

const at = (second: number): string => new Date(1_790_000_000_000 + second * 1_000).toISOString();

function round(number: number, given: Partial<BridgeRound> = {}): BridgeRound {
  return {
    ...{ round: number, resume: number > 1, started_at: at(number * 10), ended_at: at(number * 10 + 2), lost: null },
    ...{ exit: { code: 42, signal: null }, request_id: `r${number}`, repeated: false },
    ...given,
  };
}

const file = (id: string | null): BridgeFile => ({
  ...{ sha256: 'f'.repeat(64), bytes: 1, seen_at: at(1), written_at: null, is_masked: false, id, by_baton: false },
});

function crossing(number: number, given: Partial<BridgeCrossing> = {}): BridgeCrossing {
  return {
    ...{ request_id: `r${number}`, phase: number, phase_name: 'codebase_analysis', agent_name: 'architect' },
    ...{ agent: 'claude', handoff: `h${number}`, round: number, asked_at: at(number * 10 + 2) },
    ...{ answered_at: at(number * 10 + 7), attempts: 1, repeats: 0, status: 'success', error: null, confidence: 0.9 },
    ...{ tokens: 12, by: 'claude', request: 'a', answer: 'b' },
    ...given,
  };
}

const OPEN = { status: null, answered_at: null, by: null, answer: null, confidence: null } as const;

function board(given: Partial<BridgeBoard>): BridgeBoard {
  return {
    ...{ run_id: 'bridge-1', event: 9, events: 9, at: at(99), ticks: { per: 1, marks: '' }, status: 'running' },
    ...{ title: 'python3 o.py', holder: 'orchestrator', why: null, until: null, dir: '/srv/app' },
    ...{ command: ['python3', 'o.py', 'two words'], agents: { '*': 'claude', architect: 'codex' }, profile: null },
    ...{
      rounds: [],
      idle_rounds: { used: 0, max: 5 },
      crossings: [],
      pending: null,
      phases: [],
      end: null,
      item: null,
    },
    ...{ files: { request: null, response: null, state: null }, files_removed: false, cost_usd: 0, tokens: 0 },
    ...given,
  };
}

describe('the way of the baton', () => {
  test('each round is a row with what it asked; a request of an orchestrator that others start is one too', () => {
    const rows = rowsOf(
      board({
        rounds: [
          round(1),
          round(2, { request_id: 'r1', repeated: true }),
          round(3, { request_id: null, ended_at: null }),
        ],
        crossings: [crossing(1), crossing(9, { ...OPEN })],
        ...{ pending: 'r9', holder: 'you' },
      }),
    );
    expect(rows.map((row) => [row.crossing?.handoff ?? null, verdictOf(row).word, roundStop(row).glyph])).toEqual([
      ['h1', 'SUCCESS', 'ring'],
      ['h1', 'REPEATED', 'ring'],
      [null, 'RUNNING', 'arc'],
      ['h9', 'WAITING', 'dashes'],
    ]);
    expect(rows.map((row) => crossingStop(row)?.glyph ?? null)).toEqual(['tick', 'back', null, 'diamond']);
    expect(rowWords(rows[1] as never)).toBe('architect, asked before; answered again from the log');
  });

  test('only what waits for a person is amber', () => {
    const tones = (['agent', 'you', null] as const).map((holder) => {
      const [row] = rowsOf(board({ rounds: [round(1)], crossings: [crossing(1, OPEN)], pending: 'r1', holder }));
      return row && [verdictOf(row).tone, crossingStop(row)?.tone];
    });
    expect(tones).toEqual([
      ['run', 'run'],
      ['you', 'you'],
      ['', 'rest'],
    ]);
  });

  test.each([
    [{ exit: { code: 0, signal: null } }, 'EXIT 0', 'ok'],
    [{ exit: { code: 3, signal: null } }, 'EXIT 3', 'bad'],
    [{ exit: { code: null, signal: 'SIGKILL' } }, 'SIGKILL', 'bad'],
    [{ exit: null, lost: 'its handler was ended' }, 'LOST', 'bad'],
  ])('a round that asked nothing ended with %j', (given, word, tone) => {
    const [row] = rowsOf(board({ rounds: [round(1, { request_id: null, ...given })] }));
    expect(row && verdictOf(row)).toEqual({ word, tone });
    expect(row && roundStop(row).tone).toBe(tone);
  });

  test('an exit 42 whose request is not read yet is no failure; at the end without one it is', () => {
    const rounds = [round(1, { request_id: null })];
    const [row] = rowsOf(board({ rounds }));
    expect(row && [verdictOf(row).tone, roundStop(row).glyph, rowWords(row)]).toEqual(['', 'ring', 'It asks.']);
    const problem = { code: 'BRIDGE_NO_REQUEST', reason: 'it left no request' };
    const [last] = rowsOf(board({ rounds, status: 'failed', end: { exit_code: 1, problem } }));
    expect(last && [verdictOf(last), roundStop(last).tone]).toEqual([{ word: 'EXIT 42', tone: 'bad' }, 'bad']);
  });

  test('the time of the orchestrator and that of the agent lie side by side; what is open lasts until now', () => {
    const [row] = rowsOf(board({ rounds: [round(1)], crossings: [crossing(1, OPEN)], pending: 'r1', holder: 'agent' }));
    const { own, asked } = partsOf(row as never, Date.parse(at(30)));
    expect([own, asked].map((part) => part && (part.until - part.from) / 1_000)).toEqual([2, 18]);
  });

  test('what a person is asked stands above, so what was answered last is shown first', () => {
    const asked = board({ crossings: [crossing(1), crossing(2, OPEN)], pending: 'r2' });
    expect(firstCrossing({ ...asked, holder: 'you' })?.handoff).toBe('h1');
    expect(firstCrossing({ ...asked, holder: 'agent' })?.handoff).toBe('h2');
    expect(firstCrossing(board({ crossings: [crossing(2, OPEN)], pending: 'r2', holder: 'you' }))?.handoff).toBe('h2');
    expect(firstCrossing(board({}))).toBeUndefined();
  });
});

describe('what the files say', () => {
  const marksOf = (ids: Record<'request' | 'response' | 'state', string | null>, given: Partial<BridgeBoard> = {}) => {
    const files = { request: file(ids.request), response: file(ids.response), state: file(ids.state) };
    return fileMarks(board({ files, ...given })).map(({ expected }) => expected);
  };

  test('three that belong together are like each other', () => {
    expect(marksOf({ request: 'r1', response: 'r1', state: 'r1' }, { pending: 'r1' })).toEqual([null, null, null]);
    expect(marksOf({ request: 'r1', response: 'r1', state: null })).toEqual([null, null, null]);
  });

  test('one that belongs to another request is told with the id that it should have', () => {
    expect(marksOf({ request: 'r1', response: 'r0', state: 'r1' }, { pending: 'r1' })).toEqual([null, 'r1', null]);
    expect(marksOf({ request: 'r2', response: 'r1', state: 'r0' }, { pending: 'r1' })).toEqual(['r1', null, 'r1']);
    expect(marksOf({ request: 'r1', response: 'r0', state: null })).toEqual([null, 'r1', null]);
  });

  test('a checkpoint whose open request was answered since is no contradiction', () => {
    const [, , state] = fileMarks(
      board({ files: { request: null, response: null, state: file('r1') }, crossings: [crossing(1)] }),
    );
    expect([state?.expected, state?.says]).toEqual([null, 'was open when it was written, and was answered since']);
  });
});

describe('in words', () => {
  test.each<[Partial<BridgeBoard>, string]>([
    [{ rounds: [round(1)] }, 'The orchestrator has the baton, from its beginning.'],
    [
      { rounds: [round(1), round(2)], crossings: [crossing(1)] },
      'The orchestrator has the baton: it was resumed with the answer to phase 1, codebase_analysis.',
    ],
    [
      { status: 'interrupted', why: 'its handler was told to end' },
      'Its handler was told to end. The same command in the same folder goes on from there.',
    ],
    [
      { status: 'done', rounds: [round(1), round(2)], crossings: [crossing(1)] },
      'The orchestrator ended with exit code 0 after 2 rounds; 1 of 1 request answered.',
    ],
    [{ status: 'failed', end: { exit_code: 3, problem: null } }, 'The orchestrator ended with exit code 3.'],
    [
      {
        ...{ status: 'failed', end: { exit_code: 3, problem: null } },
        files: { request: null, response: null, state: file('r1') },
      },
      'The orchestrator ended with exit code 3. Its checkpoint is kept: the same command goes on from it.',
    ],
  ])('how it stands: %#', (given, words) => expect(bridgeWords(board(given))).toBe(words));

  test('who is asked, for whom, and until when', () => {
    const asked = board({ status: 'asking', crossings: [crossing(1, { ...OPEN, attempts: 2 })], pending: 'r1' });
    expect(bridgeWords({ ...asked, until: at(40) })).toMatch(
      /^claude, for architect, is asked for phase 1, codebase_analysis, until \d\d:\d\d:\d\d at the latest\. This is try 2\.$/,
    );
    expect(bridgeWords(asked)).toBe('claude, for architect, is next to be asked for phase 1, codebase_analysis.');
  });

  test('the command is the one that goes on with it', () => {
    expect(bridgeCommand(board({ status: 'waiting' }))).toBe('baton bridge respond --dir /srv/app answer.txt');
    expect(bridgeCommand(board({ status: 'failed', profile: 'template-create' }))).toBe(
      "baton bridge run --dir /srv/app --agent claude --agent architect=codex --profile template-create -- python3 o.py 'two words'",
    );
    expect(bridgeCommand(board({ status: 'watching', command: null, agents: {} }))).toBe('baton bridge watch /srv/app');
    expect(bridgeCommand(board({}))).toBe('baton bridge status --dir /srv/app');
  });

  test('four of five rounds without progress are near the end', () => {
    expect([3, 4, 5].map((used) => isNearEnd({ used, max: 5 }))).toEqual([false, true, true]);
  });
});
