import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { SessionCall } from '../../src/contracts/api/session-shapes.js';
import { risky, SessionStory, safe } from '../../src/core/session/session-story.js';
import type { EventRow, RunRow } from '../../src/engine/ports.js';
import { sessionBoard } from '../../src/engine/session/session-board.js';
import type { EventPage } from '../../src/engine/session/session-desk.js';
import { CHARS_MAX } from '../../src/engine/session/told-tasks.js';
import { wireEvent } from '../../src/engine/session/wire-event.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const MIB = 1024 * 1024;

/** What bodies say, by the names that the story gives them. */
type Say = (name: string) => object | string;

/** The page of a session whose life was told, and the most that was held meanwhile. */
async function boardOf({ events, live }: SessionStory, say: Say) {
  const rows = events.map((event, index): EventRow => {
    const { type, ...data } = event;
    const at = new Date(index).toISOString();
    const who = { run: 's', actor: 'ann', key: null, epoch: null, hash: '' };
    return { ...who, position: index + 1, seq: index + 1, type, data: JSON.stringify(data), at };
  });
  const body = async (name: string) => {
    const said = say(name);
    return new TextEncoder().encode(typeof said === 'string' ? said : JSON.stringify(said));
  };
  const store = { body, events: async (_: string, after: number, limit: number) => rows.slice(after, after + limit) };
  let most = 0;
  const first = held();
  const page = async (run: string, after: number): Promise<EventPage> => {
    most = Math.max(most, held() - first);
    const part = rows.slice(after, after + 20);
    const told = await Promise.all(part.map((row) => wireEvent(row, { session: run, body })));
    return { events: told.filter((event) => event !== undefined), next: after + part.length, isRest: false };
  };
  const row = { run: 's', version: rows.length, title: 't', project: null } as unknown as RunRow;
  const board = await sessionBoard({ store, desk: { events: page } }, { row, session: live, items: [] });
  return { board, most };
}

function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A task of so many turns with a command each. */
function commands(count: number): SessionStory {
  const story = new SessionStory().configure().input();
  for (let number = 1; number <= count; number += 1) {
    story
      .answers(1)
      .judges(safe(`call-${number}`))
      .ends(`call-${number}`);
  }
  return story;
}

describe('the page of a session', () => {
  test('holds little however much was printed', async () => {
    const output = Buffer.alloc(2 * MIB, 'printed ').toString();
    const said = { stdout: output, exit_code: 0 };
    const { board, most } = await boardOf(commands(100), (name) => (/^call-\d+$/.test(name) ? said : {}));
    // 200 MiB were printed.
    expect(most).toBeLessThan(60 * MIB);
    const calls = board.tasks.flatMap(({ turns }) => turns.flatMap(({ entries }) => entries)).slice(1);
    expect(calls).toHaveLength(100);
    const { stdout, ...last } = calls.at(-1) as SessionCall;
    expect(last).toMatchObject({ state: 'done', cut: 0, left_out: output.length - 16 * 1024 });
    expect(output.endsWith(stdout)).toBe(true);
  });

  test('has the beginning of a long change, and all of one that a person is asked about', async () => {
    const long = '+'.repeat(20_000);
    const shown = { changes: { 'a.txt': { type: 'add', content: long } } };
    const story = new SessionStory().configure().input().answers(2);
    story.judges(safe('call-1', 'patch'), risky('call-2', 'patch'));
    const { board } = await boardOf(story, () => shown);
    const [, done, asked] = board.tasks[0]?.turns.flatMap(({ entries }) => entries) ?? [];
    const short = { changes: { 'a.txt': { type: 'add', content: long.slice(0, 16 * 1024) } }, cut: 20_000 - 16 * 1024 };
    expect([done, asked]).toMatchObject([short, short]);
    expect(board.approvals).toMatchObject([{ call_id: 'call-2', ...shown }]);
  });

  test('counts answers of the model, and the turn of a task is the one it is in', async () => {
    const story = new SessionStory().configure();
    const turns = async () => {
      const { board } = await boardOf(story, () => ({ message: 'done' }));
      return [board.metrics.turns, board.metrics.tasks, board.task?.turn ?? null];
    };
    expect(await turns()).toEqual([0, 0, null]);
    story.input();
    expect(await turns()).toEqual([0, 1, 1]);
    story.answers(1).judges(safe('call-1'));
    expect(await turns(), 'its calls are done').toEqual([1, 1, 1]);
    story.ends('call-1');
    expect(await turns()).toEqual([1, 1, 2]);
    story.answers(0);
    expect(await turns()).toEqual([2, 1, null]);
    story.input();
    expect(await turns()).toEqual([2, 2, 1]);
  });

  test('tells the newest when all of it is too much, and how many rows are before', async () => {
    const words = 'w'.repeat(CHARS_MAX / 8);
    const story = new SessionStory().configure();
    for (let task = 0; task < 20; task += 1) story.input().answers(0);
    const { board } = await boardOf(story, (name) => (name.startsWith('entry of') ? words : { message: 'done' }));
    const entries = board.tasks.map(({ turns }) => turns.flatMap((turn) => turn.entries.map(({ type }) => type)));
    expect(entries).toEqual([['message'], ...Array(7).fill(['input', 'message'])].slice(-entries.length));
    expect(JSON.stringify(board).length).toBeLessThan(1.1 * CHARS_MAX);
    const [first] = board.tasks[0]?.turns[0]?.entries ?? [];
    expect([entries.length, board.earlier > 0, board.earlier < (first?.seq ?? 0)]).toEqual([8, true, true]);
  });
});
