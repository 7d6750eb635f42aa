import { chmodSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { REJECTED_FILE, REQUEST_FILE, RESPONSE_FILE, STATE_FILE } from '../contracts/bridge/bridge-file-names.js';
import { CLEAN_DEED, DELIVER_DEED, ROUND_DEED, type RoundFacts } from '../core/bridge/bridge-effects.js';
import type { BridgeReply, Delivery, RoundResult } from '../core/bridge/bridge-messages.js';
import { NO_FILES } from '../core/bridge/bridge-state.js';
import { replyTo } from '../core/bridge/reply.js';
import { createScrub } from '../engine/scrub.js';
import { bridgeFolder } from './bridge-folder.js';
import { createHandlerDeeds } from './create-handler-deeds.js';

const ID = '550e8400-e29b-41d4-a716-446655440000';
const OTHER = '550e8400-e29b-41d4-a716-446655440001';
const SECRET = 'correct-horse-battery-staple';
const REQUEST = {
  ...{ request_id: ID, created_at: '2025-11-18T10:30:00Z', phase: 1, phase_name: 'one', agent_name: 'alpha' },
  prompt: 'Look at it and say what it is. '.repeat(5),
};
const STATE = { body: { sha256: 'state', bytes: 5 }, isMasked: false };
const replied = (request_id = ID): BridgeReply => replyTo({ request_id }, { status: 'cancelled', atMs: 0 });

/** A folder, and an orchestrator that is a line of shell. */
class Scene {
  readonly dir = mkdtempSync(path.join(tmpdir(), 'baton-round-'));
  readonly logged: string[] = [];
  private readonly printed = path.join(mkdtempSync(path.join(tmpdir(), 'baton-printed-')), 'out');

  constructor() {
    onTestFinished(() => {
      chmodSync(this.dir, 0o700);
      for (const folder of [this.dir, path.dirname(this.printed)]) rmSync(folder, { recursive: true, force: true });
    });
  }

  async deed(deed: string, input: object, argv: readonly string[] = []): Promise<object> {
    const out = openSync(this.printed, 'a');
    const table = { add: async () => true, remove: async () => {}, list: async () => [] };
    const deeds = createHandlerDeeds({
      ports: {
        ...{ scrub: createScrub([SECRET]), hasher: { sha256: (data) => `hash ${data.length}` } },
        log: (_level, message) => this.logged.push(message),
      },
      store: { body: async () => new TextEncoder().encode('saved') },
      folder: bridgeFolder,
      handlers: new Map([['m', { argv, output: { out, err: out } }]]),
      gate: { table, worker: 'w', scope: 'test', oneMachine: true },
      env: { PATH: process.env.PATH },
      ...{ knowsAgent: async (id) => id === 'alpha', isPerson: async () => false },
      profile: () => Promise.reject(new Error('no profile')),
    });
    const effect = { type: 'Perform', key: 'k', deed, input } as const;
    const { result } = await deeds.perform({ run: 'run-1', epoch: 1 }, effect, new AbortController().signal);
    return result;
  }

  async round(script: string, facts: Partial<RoundFacts> = {}, more: readonly string[] = []): Promise<RoundResult> {
    const input: RoundFacts = {
      ...{ handler: 'm', round: 1, dir: this.dir, resume: false, state: null, reply: null, answered: [] },
      ...{ agents: {}, profile: null, ...facts },
    };
    return (await this.deed(ROUND_DEED, input, ['sh', '-c', script, 'sh', ...more])) as RoundResult;
  }

  put(name: string, content: unknown): void {
    writeFileSync(path.join(this.dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  }

  text(name: string): string | null {
    const file = path.join(this.dir, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : null;
  }

  get said(): string {
    return readFileSync(this.printed, 'utf8');
  }
}

const asks = (request: object = REQUEST) => `echo '${JSON.stringify(request)}' > ${REQUEST_FILE}; exit 42`;

describe('a round', () => {
  test('of another handler is not begun', async () => {
    const scene = new Scene();
    expect(await scene.round('echo ran', { handler: 'n' })).toEqual({ type: 'elsewhere' });
    expect(scene.said).toBe('');
  });

  test('starts the command as its handler has it, in the folder, and says how it ended [R197, R198]', async () => {
    const scene = new Scene();
    const ended = await scene.round('pwd; echo "$@"; exit 7', {}, [SECRET]);
    expect(ended).toMatchObject({ type: 'exited', exit: { code: 7, signal: null }, problem: null });
    expect(scene.said).toBe(`${scene.dir}\n${SECRET}\n`);
    expect(await scene.round('kill -9 $$')).toMatchObject({ exit: { code: null, signal: 'SIGKILL' } });
  });

  test('that ends with 42 brings the request that it left [R199]', async () => {
    const scene = new Scene();
    const asked = await scene.round(`echo s > ${STATE_FILE}; ${asks()}`);
    expect(asked).toMatchObject({ type: 'asked', exit: { code: 42 }, request: { request_id: ID, phase: 1 } });
    expect(asked).toMatchObject({ files: { state: { isMasked: false }, response: null } });
  });

  test.each([
    ['exit 42', 'BRIDGE_NO_REQUEST'],
    [`ln -s /etc/hosts ${REQUEST_FILE}; exit 42`, 'BRIDGE_NO_REQUEST'],
    [`echo '{' > ${REQUEST_FILE}; exit 42`, 'SCHEMA_INVALID'],
    [asks({ ...REQUEST, version: '2.0' }), 'UNKNOWN_SCHEMA_VERSION'],
    [asks({ ...REQUEST, prompt: 'short' }), 'SCHEMA_INVALID'],
  ])('that ends with 42 after %j fails with %s', async (script, code) => {
    expect(await new Scene().round(script)).toMatchObject({ type: 'exited', problem: { code } });
  });
});

describe('a folder before a round', () => {
  test('is cleared of what others have left there', async () => {
    const scene = new Scene();
    scene.put(REQUEST_FILE, REQUEST);
    scene.put(RESPONSE_FILE, 'stale');
    await scene.round('ls -A; echo "$@"');
    expect(scene.said).toBe(`${REJECTED_FILE}\n\n`);
  });

  test('of one that goes on has its answer and its state and no request; --resume is said once', async () => {
    for (const more of [['x'], ['--resume', 'x']]) {
      const scene = new Scene();
      scene.put(REQUEST_FILE, REQUEST);
      const facts = { resume: true, reply: replied(), state: STATE, answered: [ID] };
      await scene.round('echo "$@"', facts, more);
      expect(scene.said.trim()).toBe(more.length === 1 ? 'x --resume' : '--resume x');
      expect(JSON.parse(scene.text(RESPONSE_FILE) ?? '')).toMatchObject({ request_id: ID, status: 'cancelled' });
      expect([scene.text(REQUEST_FILE), scene.text(STATE_FILE)]).toEqual([null, 'saved']);
    }
  });

  test('with a request that has no answer yet: it is taken up, and nothing is started', async () => {
    const scene = new Scene();
    scene.put(REQUEST_FILE, { ...REQUEST, request_id: OTHER });
    const found = await scene.round('echo ran', { resume: true, reply: replied(), answered: [ID] });
    expect(found).toMatchObject({ type: 'asked', exit: null, request: { request_id: OTHER } });
    expect([scene.said, scene.text(RESPONSE_FILE)]).toEqual(['', null]);
  });

  test('is given back no state that has lost its secrets, and none over another', async () => {
    const masked = new Scene();
    await masked.round('true', { resume: true, state: { ...STATE, isMasked: true } });
    expect(masked.text(STATE_FILE)).toBeNull();
    const newer = new Scene();
    newer.put(STATE_FILE, 'newer');
    await newer.round('true', { resume: true, state: STATE });
    expect(newer.text(STATE_FILE)).toBe('newer');
  });

  test('is not enough for a program that is not there: why is said', async () => {
    const scene = new Scene();
    const input = { handler: 'm', round: 1, dir: scene.dir, resume: false, state: null, reply: null, answered: [] };
    const ended = await scene.deed(ROUND_DEED, { ...input, agents: {}, profile: null }, ['no-such-program']);
    expect(ended).toMatchObject({ type: 'exited', exit: null, problem: { code: 'USAGE' } });
  });

  test('that cannot be written ends it, instead of being tried for ever', async () => {
    const scene = new Scene();
    mkdirSync(path.join(scene.dir, RESPONSE_FILE));
    const ended = await scene.round('echo ran', { resume: true, reply: replied() });
    expect(ended).toMatchObject({ type: 'exited', exit: null, problem: { code: 'FILE_UNWRITABLE' } });
    expect(scene.said).toBe('');
  });
});

describe('a delivery', () => {
  test('writes the answer and takes the request away', async () => {
    const scene = new Scene();
    scene.put(REQUEST_FILE, REQUEST);
    expect(await scene.deed(DELIVER_DEED, { dir: scene.dir, reply: replied() })).toEqual({ problem: null });
    expect(JSON.parse(scene.text(RESPONSE_FILE) ?? '')).toMatchObject({ request_id: ID });
    expect(scene.text(REQUEST_FILE)).toBeNull();
  });

  test('leaves a newer request alone, and answers it with nothing else [R183]', async () => {
    const scene = new Scene();
    scene.put(REQUEST_FILE, { ...REQUEST, request_id: OTHER });
    await scene.deed(DELIVER_DEED, { dir: scene.dir, reply: replied() });
    expect(JSON.parse(scene.text(REQUEST_FILE) ?? '')).toMatchObject({ request_id: OTHER });
    expect(scene.text(RESPONSE_FILE)).toBeNull();
  });

  test('that cannot be made says why', async () => {
    const scene = new Scene();
    const gone = { dir: path.join(scene.dir, 'gone'), reply: replied() };
    expect(((await scene.deed(DELIVER_DEED, gone)) as Delivery).problem).toContain('ENOENT');
  });
});

describe('a cleaning', () => {
  const put = (scene: Scene) => {
    for (const name of [REQUEST_FILE, RESPONSE_FILE, STATE_FILE]) scene.put(name, 'x');
  };

  test.each([true, false])('removes all three files, after a failure (%s) too [R225, R226, R227]', async (failed) => {
    const scene = new Scene();
    put(scene);
    await scene.deed(CLEAN_DEED, { dir: scene.dir, files: { ...NO_FILES, state: STATE }, failed });
    for (const name of [REQUEST_FILE, RESPONSE_FILE, STATE_FILE]) expect(scene.text(name)).toBeNull();
    expect(scene.logged.filter((line) => line.startsWith('removed checkpoint file'))).toHaveLength(3);
    await scene.deed(CLEAN_DEED, { dir: scene.dir, files: NO_FILES, failed });
  });

  test.each([null, { ...STATE, isMasked: true }])('leaves the only whole state after a failure (%j)', async (state) => {
    const scene = new Scene();
    put(scene);
    await scene.deed(CLEAN_DEED, { dir: scene.dir, files: { ...NO_FILES, state }, failed: true });
    expect([scene.text(REQUEST_FILE), scene.text(STATE_FILE)]).toEqual([null, 'x']);
  });

  test('goes on past what cannot be removed', async () => {
    const scene = new Scene();
    mkdirSync(path.join(scene.dir, RESPONSE_FILE));
    scene.put(STATE_FILE, 'x');
    await scene.deed(CLEAN_DEED, { dir: scene.dir, files: NO_FILES, failed: false });
    expect(scene.text(STATE_FILE)).toBeNull();
    expect(scene.logged.join()).toContain('response stays');
  });
});
