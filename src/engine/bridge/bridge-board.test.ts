import { expect, test } from 'vitest';
import type { BridgeBoard } from '../../contracts/api/bridge-shapes.js';
import type { BridgeEvent, BridgeOrder, KeptFiles, TakenRequest } from '../../core/bridge/bridge-messages.js';
import { replyTo } from '../../core/bridge/reply.js';
import type { EventRow } from '../ports.js';
import { bridgeBoard, foldedAt } from './bridge-board.js';

const texts = new Map<string, string>();
const kept = (text: string) => {
  const sha256 = `sha of ${text}`;
  texts.set(sha256, text);
  return { body: { sha256, bytes: text.length }, isMasked: false };
};
const SOURCES = {
  store: { body: async (sha256: string) => new TextEncoder().encode(texts.get(sha256) ?? '') },
  hasher: { sha256: (data: string | Uint8Array) => `sha of ${data}` },
};

const ORDER: BridgeOrder = {
  ...{ dir: '/srv/app', place: 'at1', argv: ['python3', 'o.py'], agents: { '*': 'claude' }, profile: null },
  ...{ project: 'app', env: [], network: [], limits: {} },
};
const R1 = '550e8400-e29b-41d4-a716-446655440001';
const R2 = '550e8400-e29b-41d4-a716-446655440002';
const T0 = Date.parse('2026-01-01T00:00:00.000Z');
const NONE: KeptFiles = { request: null, response: null, state: null };

function request(id: string, phase = 1): TakenRequest {
  return {
    ...{ request_id: id, phase, phase_name: `phase_${phase}`, agent_name: 'architect', timeout_seconds: 120 },
    ...{ retry_count: 0, document: kept(`{"request_id":"${id}","prompt":"p"}`).body, fingerprint: id },
    ...{ answerer: { agent: 'claude', isPerson: false } },
  } as TakenRequest;
}

function filesOf(id: string, state: object = {}): KeptFiles {
  const told = { request_id: id, created_at: '2026-01-01T00:00:01Z' };
  return { request: kept(JSON.stringify(told)), response: null, state: kept(JSON.stringify(state)) };
}

type Bare = BridgeEvent extends infer Event ? (Event extends unknown ? Omit<Event, 'atMs'> : never) : never;

async function boardOf(bare: readonly Bare[], event = bare.length): Promise<BridgeBoard> {
  const rows = bare.map(({ type, ...data }, index) => {
    const atMs = T0 + index * 1_000;
    return { seq: index + 1, at: new Date(atMs).toISOString(), type, data: JSON.stringify({ ...data, atMs }) };
  }) as unknown as EventRow[];
  return bridgeBoard(SOURCES, foldedAt(rows.slice(0, event)), { run: 'bridge-a', rows, event, item: null });
}

const BEGUN: Bare = { type: 'BridgeBegun', order: ORDER, handler: 'one' };
const started = (round: number): Bare => ({ type: 'RoundStarted', round, resume: round > 1 });
const exited = (round: number, code: number, files = NONE): Bare => ({
  ...{ type: 'RoundEnded', round, exit: { code, signal: null }, files },
});
const taken = (id: string, phase: number, files: KeptFiles): Bare => ({
  ...{ type: 'RequestTaken', request: request(id, phase), handoff: `h-${id}`, files, isNew: true },
});
const asked = (id: string): Bare => ({
  ...{ type: 'HandoffAsked', handoff: `h-${id}`, attempt: 1, agent: 'claude', deadlineMs: T0 + 60_000 },
});
const answered = (id: string): Bare => ({
  type: 'RequestAnswered',
  reply: replyTo({ request_id: id }, { status: 'success', atMs: T0, answer: kept('"yes"').body, confidence: 0.9 }),
  ...{ by: 'claude', question: null },
});

const ONE = filesOf(R1, {
  ...{
    phase: 1,
    phase_name: 'analysis',
    agent_requests: [
      { request_id: R1, status: 'pending' },
      { request_id: R2, status: 'completed' },
    ],
  },
});
const ASKED = [BEGUN, started(1), exited(1, 42, ONE), taken(R1, 1, ONE), asked(R1)];
const RESUMED = [...ASKED, answered(R1), started(2)];

test('while an agent is asked it has the request, the files that belong to it, and until when', async () => {
  const board = await boardOf(ASKED);
  expect(board).toMatchObject({
    ...{ status: 'asking', holder: 'agent', pending: R1, until: new Date(T0 + 60_000).toISOString() },
    rounds: [{ round: 1, exit: { code: 42 }, request_id: R1, repeated: false }],
    crossings: [{ request_id: R1, round: 1, attempts: 1, status: null, answered_at: null }],
    files: { request: { id: R1, written_at: '2026-01-01T00:00:01Z' }, response: null, state: { id: R1 } },
    files_removed: false,
  });
  expect(board.ticks.marks).toBe('....h');
});

test('the answer lies in the folder, by our hand, while the orchestrator is resumed with it', async () => {
  const { files, holder, crossings } = await boardOf(RESUMED);
  expect([holder, files.response?.id, files.response?.by_baton]).toEqual(['orchestrator', R1, true]);
  expect((await boardOf([...RESUMED, exited(2, 42)])).files.response).toBeNull();
  expect(files.response?.sha256).toContain('"response": "\\"yes\\""');
  expect(crossings).toMatchObject([{ status: 'success', by: 'claude', confidence: 0.9 }]);
});

test('an ask that was answered before is told with the round that asked it again', async () => {
  const again: Bare = { type: 'RequestRepeated', request_id: R1, files: ONE };
  const { rounds, crossings } = await boardOf([...RESUMED, exited(2, 42, ONE), again, started(3)]);
  expect(rounds.map(({ request_id, repeated }) => [request_id, repeated])).toEqual([
    [R1, false],
    [R1, true],
    [null, false],
  ]);
  expect(crossings).toMatchObject([{ repeats: 1 }]);
});

test('phases are as the checkpoint says; the one that is asked for is now, and after a good end none is', async () => {
  const state = { phase: 6, phase_name: 'six', completed_phases: [{ phase: 1, phase_name: 'one' }, null, 'x'] };
  const six = filesOf(R2, state);
  const events = [BEGUN, started(1), exited(1, 42, six), taken(R2, 6, six)];
  const standings = ({ phases }: BridgeBoard) => phases.map(({ standing }) => standing.charAt(0)).join('');
  const now = await boardOf(events);
  expect([standings(now), now.phases[0]?.phase_name, now.phases[5]?.phase_name]).toEqual([
    'dddddnddd',
    'one',
    'phase_6',
  ]);
  const ended: Bare = { type: 'BridgeEnded', exitCode: 0, problem: null, question: null };
  const over = [...events, answered(R2), started(2), exited(2, 0), ended, { type: 'FilesRemoved' } as Bare];
  const done = await boardOf(over);
  expect([done.status, done.files_removed, done.phases[5]?.standing]).toEqual(['done', true, 'done']);
  expect((await boardOf(over, 4)).files_removed).toBe(false);
});

test('files of an orchestrator may say anything; what is no text or no time is left out', async () => {
  const odd: KeptFiles = {
    request: kept('{"request_id":7,"created_at":"yesterday"}'),
    ...{ response: kept('[1'), state: kept('{"agent_requests":"none","completed_phases":{},"phase":"x"}') },
  };
  const { files, phases } = await boardOf([BEGUN, started(1), exited(1, 42, odd), taken(R1, 1, odd)]);
  expect(Object.values(files).map((file) => [file?.id, file?.written_at])).toEqual([
    ...[
      [null, null],
      [null, null],
      [null, null],
    ],
  ]);
  expect(phases).toHaveLength(9);
});

test('a round that was lost says why, and stands red in the row of ticks', async () => {
  const lost: Bare = { type: 'RoundLost', round: 1, reason: 'its handler was ended' };
  const { rounds, ticks, why } = await boardOf([BEGUN, started(1), lost]);
  expect([rounds[0]?.lost, ticks.marks, why]).toEqual(['its handler was ended', '..x', 'its handler was ended']);
});
