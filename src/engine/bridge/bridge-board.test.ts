import { expect, test } from 'vitest';
import { BridgeStory } from '../../core/bridge/bridge-story.js';
import type { EventRow } from '../ports.js';
import { bridgeBoard, foldedAt } from './bridge-board.js';

const STATE = {
  ...{ phase: 2, phase_name: 'two', request_id: 'r1' },
  completed_phases: [{ phase: 1, phase_name: 'one' }, { phase: 'x' }, null],
};
const FILES = { request: null, response: null, state: { body: { sha256: 'state', bytes: 9 }, isMasked: true } };

function rowsOf({ events }: BridgeStory): EventRow[] {
  return events.map(({ type, ...data }, index) => {
    const at = new Date(index * 1_000).toISOString();
    return { run: 'b', seq: index + 1, type, at, data: JSON.stringify(data) } as EventRow;
  });
}

async function boardOf(story: BridgeStory, event = story.events.length, state: string = JSON.stringify(STATE)) {
  const rows = rowsOf(story);
  const store = { body: async () => new TextEncoder().encode(state) };
  return bridgeBoard(store, foldedAt(rows.slice(0, event)), { run: 'b', rows, event, item: null });
}

const answered = () => new BridgeStory().begin().asks('r1', {}, FILES).admitted().failed('crash').admitted().answered();

test('the board tells the rounds and the crossings, each with what came of it', async () => {
  const board = await boardOf(answered().asks('r1', {}, FILES).lost());
  expect(board.rounds.map(({ round, resume, exit, lost }) => [round, resume, exit?.code, lost !== null])).toEqual([
    [1, false, 42, false],
    [2, true, 42, false],
    [3, true, undefined, true],
  ]);
  expect(board.crossings).toMatchObject([
    { request_id: 'r1', handoff: 'h1', round: 1, attempts: 2, repeats: 1, status: 'success', by: 'alpha', tokens: 7 },
  ]);
  expect(board).toMatchObject({ status: 'interrupted', holder: null, pending: null, dir: '/p', command: ['make'] });
  expect(board.idle_rounds).toEqual({ used: 1, max: 5 });
});

test('it can be looked at as it was behind each of its events', async () => {
  const story = answered();
  const { length } = story.events;
  for (let event = 1; event <= length; event += 1) {
    expect(await boardOf(story, event)).toMatchObject({ event, events: length, at: rowsOf(story)[event - 1]?.at });
  }
  const asked = story.events.findIndex(({ type }) => type === 'HandoffAsked') + 1;
  expect(await boardOf(story, asked)).toMatchObject({ holder: 'agent', pending: 'r1', status: 'asking' });
});

test('files are shown as they were seen last, and phases as the checkpoint says', async () => {
  const { files, phases } = await boardOf(answered());
  expect(files).toMatchObject({ request: null, state: { sha256: 'state', bytes: 9, is_masked: true, id: 'r1' } });
  expect(phases.slice(0, 3)).toEqual([
    { phase: 1, phase_name: 'one', standing: 'done' },
    { phase: 2, phase_name: 'two', standing: 'now' },
    { phase: 3, phase_name: null, standing: 'due' },
  ]);
});

test.each(['', '[]', 'null', '{"completed_phases": 7, "phase": "one"}', '{"completed_phases": [[], 1]}'])(
  'a checkpoint that is %j is no reason not to be shown',
  async (state) => {
    expect((await boardOf(answered(), undefined, state)).phases).toHaveLength(9);
  },
);

test('how it ended is said', async () => {
  const problem = { code: 'BRIDGE_NO_REQUEST', reason: 'left none' };
  const board = await boardOf(new BridgeStory().begin().exits({ code: 42, signal: null }, problem).performed({}));
  expect(board).toMatchObject({ status: 'failed', why: 'left none', end: { exit_code: 1, problem } });
  expect(() => foldedAt([])).toThrow('no state before its first event');
});
