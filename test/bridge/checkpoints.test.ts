import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Bridge } from '../../src/bridge/bridge.js';
import { openBridge } from '../../src/bridge/open-bridge.js';
import {
  REJECTED_FILE,
  REQUEST_FILE,
  RESPONSE_FILE,
  STATE_FILE,
} from '../../src/contracts/bridge/bridge-file-names.js';
import { readExample } from '../conformance/payload-examples.js';
import { ANALYSIS, asksOnce, newFolder, Played } from './played.js';

const PAUSED = { code: 42 };
const example = (file: string): object => JSON.parse(readExample(file));
const MANIFEST = { phase: 2, phase_name: 'manifest_generation' };

describe('a checkpoint', () => {
  test('keeps where the program is, its paths and its data', async () => {
    const played = new Played();
    const paths = { output_path: '/srv/out', project_path: '/srv/in', template_name: 'shop' };
    const program = async (bridge: Bridge) => {
      bridge.data.files = ['a', 'b'];
      bridge.checkpoint({ ...MANIFEST, checkpoint_name: 'before_writing' });
    };
    await played.start(program, paths);
    expect(played.state).toMatchObject({ ...MANIFEST, ...paths, checkpoint_name: 'before_writing' });
    const read = async ({ resumed, state, data }: Bridge) => ({ resumed, at: state?.phase, data });
    expect(await played.resume(read)).toEqual({ value: { resumed: true, at: 2, data: { files: ['a', 'b'] } } });
    await played.resume(program);
    expect(played.state).toMatchObject(paths);
  });

  test('of a completed phase is kept with its summary, once however often it is said [R208, R211]', async () => {
    const played = new Played();
    const program = async (bridge: Bridge) => {
      bridge.completed({ phase: 1, phase_name: 'codebase_analysis', result_summary: 'Analyzed 30 files' });
      bridge.completed({ ...MANIFEST, result_summary: 'Generated manifest.json' });
    };
    await played.start(program);
    const first = played.text(STATE_FILE);
    await played.resume(program);
    expect(played.text(STATE_FILE)).toBe(first);
    const completed_at = expect.stringMatching(/Z$/);
    expect(played.state.completed_phases).toEqual([
      { phase: 1, phase_name: 'codebase_analysis', completed_at, result_summary: 'Analyzed 30 files' },
      { ...MANIFEST, completed_at, result_summary: 'Generated manifest.json' },
    ]);
  });

  test.each([
    ['half a character', '\ud800'],
    ['a nought character', '\u0000'],
    ['a number too large', 2 ** 60],
    ['a circle', null],
  ])('whose data could not be read again is refused, and the last one stays: %s', async (what, value) => {
    const played = new Played();
    const place = { ...MANIFEST, checkpoint_name: 'again' };
    const program = async (bridge: Bridge) => {
      bridge.checkpoint(place);
      bridge.data.bad = what === 'a circle' ? bridge.data : value;
      bridge.checkpoint({ ...place, checkpoint_name: 'bad' });
    };
    expect(await played.start(program)).toMatchObject({ thrown: { code: 'SCHEMA_INVALID' } });
    expect(played.state.checkpoint_name).toBe('again');
  });
});

describe('at the end', () => {
  test('all three files are removed, and each removal is told [R227]', async () => {
    const played = new Played();
    await played.start(asksOnce());
    played.write(RESPONSE_FILE, 'late');
    played.write(`${STATE_FILE}.tmp`, 'left by a killed program');
    await played.resume(async (bridge) => bridge.finish());
    expect([...played.files, played.has(`${STATE_FILE}.tmp`)]).toEqual([false]);
    expect(played.lines).toEqual(
      [REQUEST_FILE, RESPONSE_FILE, STATE_FILE].map((name) => `Removed checkpoint file: ${name}`),
    );
  });

  test('files that are not there are no error, and nothing is told [R227]', async () => {
    const played = new Played();
    await played.start(async (bridge) => bridge.finish());
    expect(played.lines).toEqual([]);
  });
});

describe('the examples of the document', () => {
  test('its state alone resumes at phase 5, with what it holds', async () => {
    const played = new Played();
    played.write(STATE_FILE, example('checkpoint-state/document-state.json'));
    const program = async ({ state, data }: Bridge) => [state?.phase, state?.completed_phases?.length, data.manifest];
    expect(await played.resume(program)).toEqual({
      value: [5, 2, { name: 'my-template', language: 'C#', framework: '.NET MAUI' }],
    });
  });

  test('a state at phase 1 and its success response resume behind the ask', async () => {
    const played = new Played();
    played.write(STATE_FILE, example('checkpoint-state/before-first-agent.json'));
    played.write(RESPONSE_FILE, example('bridge-response/document-success.json'));
    expect(await played.resume(asksOnce())).toMatchObject({ value: { confidence: 0.92, source: 'agent' } });
    expect(played.files).toEqual([STATE_FILE]);
  });

  test('a state with the nulls that its class writes is read', async () => {
    const played = new Played();
    const state = {
      ...example('checkpoint-state/document-state.json'),
      project_path: null,
      template_name: null,
    };
    played.write(STATE_FILE, state);
    expect(await played.resume(async (bridge) => bridge.state?.phase)).toEqual({ value: 5 });
  });
});

describe('a state that cannot be trusted', () => {
  type Kept = { phase: number; response: { request_id: string; status: string } };
  type Edit = [what: string, edit: (state: Record<string, unknown>, kept: Kept) => unknown, code: string];
  const edits: Edit[] = [
    ['is cut off', (state) => JSON.stringify(state).slice(0, 200), 'BRIDGE_STATE_INVALID'],
    ['lacks its phase', (state) => ({ ...state, phase: undefined }), 'BRIDGE_STATE_INVALID'],
    ['has a field too many', (state) => ({ ...state, x_more: 1 }), 'BRIDGE_STATE_INVALID'],
    ['is of version 2.0', (state) => ({ ...state, version: '2.0' }), 'UNKNOWN_SCHEMA_VERSION'],
    ['has answers to requests it does not name', (state) => ({ ...state, agent_requests: [] }), 'BRIDGE_STATE_INVALID'],
    ...['pending', 'rejected', undefined].map(
      (status): Edit => [
        `has an answer to a request that is ${status}`,
        ({ agent_requests, ...state }) => ({
          ...state,
          agent_requests: (agent_requests as object[]).map((request) => ({ ...request, status })),
        }),
        'BRIDGE_STATE_INVALID',
      ],
    ),
    [
      'has an answer that is none',
      (state, kept) => {
        kept.response.status = 'fine';
        return state;
      },
      'BRIDGE_STATE_INVALID',
    ],
    [
      'has an answer of another phase',
      (state, kept) => {
        kept.phase = 6;
        return state;
      },
      'BRIDGE_STATE_INVALID',
    ],
    [
      'has answers that are no list',
      (state) => ({ ...state, phase_data: { agent_answers: {} } }),
      'BRIDGE_STATE_INVALID',
    ],
  ];

  test.each(edits)('because it %s is refused with its path, and nothing is removed', async (_, edit, code) => {
    const played = new Played();
    await played.start(asksOnce());
    played.respond('Done.');
    await played.resume(asksOnce());
    const state = JSON.parse(played.text(STATE_FILE));
    played.write(STATE_FILE, edit(state, state.phase_data.agent_answers[0]));
    for (const name of [REQUEST_FILE, RESPONSE_FILE, REJECTED_FILE]) played.write(name, 'x');
    const file = played.file(STATE_FILE);
    const end = await played.resume(asksOnce());
    expect(end).toMatchObject({ thrown: { code, details: { file }, message: expect.stringContaining(file) } });
    expect(played.files).toHaveLength(4);
  });

  test('is not even looked at by a program that begins anew', async () => {
    const played = new Played();
    played.write(STATE_FILE, 'damaged');
    expect(await played.start(asksOnce())).toEqual(PAUSED);
    expect(played.state.phase).toBe(1);
  });
});

describe('the folder', () => {
  test('stays the same when the program goes elsewhere', async () => {
    const { dir } = openBridge({ dir: 'some/where', resume: false });
    expect(dir).toBe(path.resolve('some/where'));
    expect(openBridge({ resume: false }).dir).toBe(process.cwd());
  });

  test('that goes away is named', async () => {
    const played = new Played();
    const end = await played.start(async (bridge) => {
      rmSync(played.dir, { recursive: true });
      return bridge.ask(ANALYSIS);
    });
    const file = played.file(STATE_FILE);
    expect(end).toMatchObject({ thrown: { code: 'FILE_UNWRITABLE', details: { file } } });
  });

  test('that nobody can write to, or that is none, is named', async () => {
    const file = path.join(newFolder(), 'file');
    writeFileSync(file, '');
    const unwritable = process.platform === 'linux' ? ['/proc/self', file] : [file];
    for (const dir of unwritable) {
      const end = await new Played(dir).start(asksOnce());
      expect(end).toMatchObject({ thrown: { code: 'FILE_UNWRITABLE', message: expect.stringContaining(dir) } });
    }
  });

  test('with a state that is no file is refused', async () => {
    const played = new Played();
    await expect(new Played(played.dir).resume(asksOnce())).resolves.toEqual(PAUSED);
    rmSync(played.file(STATE_FILE));
    mkdirSync(played.file(STATE_FILE));
    expect(await played.resume(asksOnce())).toMatchObject({
      thrown: { code: 'INPUT_UNREADABLE', details: { file: played.file(STATE_FILE) } },
    });
  });
});
