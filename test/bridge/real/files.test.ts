import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  REJECTED_FILE,
  REQUEST_FILE,
  RESPONSE_FILE,
  STATE_FILE,
} from '../../../src/contracts/bridge/bridge-file-names.js';
import { BridgeStage, FIRST_ID, OTHER_ID, responseTo, THREE_ASKS } from './bridge-stage.js';

/** Takes whatever answer lies there, whenever it is started: what it is given is the handler's doing. */
const GULLIBLE = `
said = read(RESPONSE)
if said:
    print("read", said["request_id"], said["response"])
    sys.exit(0)
ask()
`;
const OWN = `read ${FIRST_ID} fresh\n`;

describe('answers to nothing that was asked', () => {
  test.each([
    ['of another request', JSON.stringify(responseTo(OTHER_ID))],
    ['of the very request that will be written', JSON.stringify(responseTo(FIRST_ID))],
    ['half of one', JSON.stringify(responseTo(OTHER_ID)).slice(0, 40)],
    ['an empty one', ''],
  ])('%s, before anything was asked: set aside, not read [R183] [R223]', async (_, text) => {
    const stage = new BridgeStage();
    stage.put(RESPONSE_FILE, text);
    const { exit, out } = await stage.run(stage.says('fresh'), stage.python(GULLIBLE));
    expect([exit, out]).toEqual([0, OWN]);
    expect(stage.text(REJECTED_FILE)).toBe(text);
    expect(stage.files()).toEqual([]);
  });

  test('after the orchestrator died before its first answer: the next start does not read it either', async () => {
    const stage = new BridgeStage();
    const dies = 'put(STATE, state())\nif not RESUME: os.kill(os.getpid(), signal.SIGKILL)\n';
    const command = stage.python(`${dies}${GULLIBLE}`);
    expect((await stage.run(stage.says('fresh'), command)).exit).toBe(137);
    stage.put(RESPONSE_FILE, responseTo(OTHER_ID));
    const { exit, out } = await stage.run(stage.says('fresh'), command);
    expect([exit, out]).toEqual([0, OWN]);
  });

  test('three asks, with an answer of an earlier day in the folder [R222] [R223] [R224] [R225] [R197]', async () => {
    const stage = new BridgeStage();
    stage.put(RESPONSE_FILE, responseTo(OTHER_ID));
    stage.put(REQUEST_FILE, '{"half":');
    const agent = stage.says('{"primary_language":"Go","overall_confidence":0.9}');
    const { exit, err } = await stage.run(agent, THREE_ASKS);
    expect([exit, err]).toEqual([0, '']);
    expect(JSON.parse(stage.text('result.json'))).toMatchObject({ language: 'Go' });
    expect(stage.files()).toEqual([]);
  });
});

describe('requests that are none', () => {
  test.each([
    ['none at all', 'sys.exit(42)', 'BRIDGE_NO_REQUEST'],
    ['half of one', 'put(REQUEST, json.dumps(request())[:60]); sys.exit(42)', 'SCHEMA_INVALID'],
    ['a prompt of 99 characters', 'ask(prompt="x" * 99)', 'SCHEMA_INVALID'],
    ['version 2.0', 'ask(version="2.0")', 'UNKNOWN_SCHEMA_VERSION'],
    ['an unknown field', 'ask(colour="red")', 'SCHEMA_INVALID'],
    ['no id that is one', 'ask(request_id="1")', 'SCHEMA_INVALID'],
    ['three million characters', 'ask(prompt="x" * 3000000)', 'PAYLOAD_TOO_LARGE'],
    ['a link', 'put("real", request()); os.symlink("real", REQUEST); sys.exit(42)', 'BRIDGE_NO_REQUEST'],
    ['a pipe', 'os.mkfifo(REQUEST); sys.exit(42)', 'BRIDGE_NO_REQUEST'],
    ['a folder', 'os.mkdir(REQUEST); sys.exit(42)', 'BRIDGE_NO_REQUEST'],
    ['one in another folder', 'os.chdir("/tmp" if os.path.isdir("/tmp") else "/"); sys.exit(42)', 'BRIDGE_NO_REQUEST'],
  ])('%s: exit 1, and 42 stays inside [R198] [R199] [R228]', async (name, text, code) => {
    const stage = new BridgeStage();
    const { exit, err } = await stage.run(stage.says('fresh'), stage.python(text));
    expect([exit, err.includes(code) ? code : err]).toEqual([1, code]);
    // What is no file is nobody's to remove.
    expect(stage.files()).toEqual(name === 'a folder' ? [REQUEST_FILE] : []);
    expect((await stage.events()).filter(({ type }) => type === 'HandoffAsked')).toEqual([]);
  });

  test('when it is mended, the same command goes on', async () => {
    const stage = new BridgeStage();
    const bad = 'put(STATE, state(step=1)); ask(prompt="short")';
    expect((await stage.run(stage.says('fresh'), stage.python(bad))).exit).toBe(1);
    expect(stage.files()).toEqual([]);
    const mended = `assert read(STATE)["phase_data"] == {"step": 1}, "no state"\n${GULLIBLE}`;
    const { exit, out, err } = await stage.run(stage.says('fresh'), stage.python(mended));
    expect([exit, out, err]).toEqual([0, OWN, '']);
  });
});

describe('a folder that is not as it should be', () => {
  test('something else in place of the response', async () => {
    const stage = new BridgeStage();
    const { exit, err } = await stage.run(
      stage.says('fresh'),
      stage.python(`os.makedirs(RESPONSE + "/x")\n${GULLIBLE}`),
    );
    expect([exit, err]).toEqual([1, expect.stringContaining('FILE_UNWRITABLE')]);
  });

  test.each(['link', 'pipe'])(
    'a %s in place of the response is replaced, and nothing outside is touched',
    async (kind) => {
      const stage = new BridgeStage();
      const outside = path.join(stage.folder, 'outside');
      writeFileSync(outside, 'mine');
      const place = kind === 'link' ? `os.symlink("${outside}", RESPONSE)` : 'os.mkfifo(RESPONSE)';
      const text = `if not RESUME:\n    put(STATE, state())\n    ${place}\n    ask()\n${GULLIBLE}`;
      const { exit, out } = await stage.run(stage.says('fresh'), stage.python(text));
      expect([exit, out]).toEqual([0, OWN]);
      expect(execFileSync('cat', [outside], { encoding: 'utf8' })).toBe('mine');
    },
  );

  test('what a handler that was killed left half-written is swept away at the end', async () => {
    const stage = new BridgeStage();
    const left = `.${RESPONSE_FILE}.0123456789ab.tmp`;
    for (const name of [left, '.mine.0123456789ab.tmp']) stage.put(name, '{"half":');
    expect((await stage.run(stage.says('fresh'), stage.python(GULLIBLE))).exit).toBe(0);
    expect([stage.has(left), stage.has('.mine.0123456789ab.tmp')]).toEqual([false, true]);
  });

  test('a link in place of the state is not followed', async () => {
    const stage = new BridgeStage();
    const outside = path.join(stage.folder, 'outside');
    writeFileSync(outside, 'mine');
    symlinkSync(outside, stage.at(STATE_FILE));
    const { exit } = await stage.run(stage.says('fresh'), stage.python(GULLIBLE));
    expect(exit).toBe(0);
    expect(execFileSync('cat', [outside], { encoding: 'utf8' })).toBe('mine');
    expect(JSON.stringify(await stage.events())).not.toContain('"state":{');
  });

  test('the folder is removed under it', async () => {
    const stage = new BridgeStage();
    mkdirSync(path.join(stage.folder, 'short-lived'));
    const text = 'import shutil\nwhere = os.getcwd()\nos.chdir("/")\nshutil.rmtree(where)\nsys.exit(0)';
    const { exit } = await stage.run(
      stage.says('fresh'),
      stage.python(text),
      '--dir',
      path.join(stage.folder, 'short-lived'),
    );
    expect(exit).toBe(0);
  });

  const readOnly = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    'mount --bind . . && mount -o remount,bind,ro . && cd "$PWD" && exec "$@"',
    'sh',
  ];
  const canMount = spawnSync('unshare', ['--mount', 'true'], { stdio: 'ignore' }).status === 0;
  test.skipIf(!canMount)(
    'read-only: the orchestrator cannot write, and says so with its own exit code [R198]',
    async () => {
      const stage = new BridgeStage();
      const words = ['bridge', 'run', '--agent', stage.says('fresh'), '--', ...stage.python(GULLIBLE)];
      const { exit, err } = await stage.start(words, { behind: readOnly }).ended;
      expect([exit, err]).toEqual([1, expect.stringContaining('Read-only file system')]);
    },
  );

  test.skipIf(!canMount)('read-only when the answer is to be written: exit 1, and why', async () => {
    const stage = new BridgeStage();
    stage.put(REQUEST_FILE, '{}');
    const words = ['bridge', 'run', '--agent', stage.says('fresh'), '--', ...stage.python(GULLIBLE)];
    const { exit, err } = await stage.start(words, { behind: readOnly }).ended;
    expect([exit, err]).toEqual([1, expect.stringContaining('FILE_UNWRITABLE')]);
  });
});

describe('secrets', () => {
  const SECRET = 'sk-ant-c4nary-0123456789abcdef0123456789';

  test('a state that holds one is not in the journal, and stays where it is after an error', async () => {
    const stage = new BridgeStage();
    const text = `
if RESUME:
    assert read(STATE)["phase_data"]["key"] == "${SECRET}", "not the state that was written"
    sys.exit(0)
put(STATE, state(key="${SECRET}"))
sys.exit(3)`;
    const command = stage.python(text);
    expect((await stage.run(stage.says('fresh'), command)).exit).toBe(3);
    expect(stage.files()).toEqual([STATE_FILE]);
    expect(JSON.stringify(await stage.events())).not.toContain(SECRET);
    expect(spawnSync('grep', ['-r', SECRET, stage.home]).status).toBe(1);
    const { exit, err } = await stage.run(stage.says('fresh'), command);
    expect([exit, err]).toEqual([0, '']);
    expect(stage.files()).toEqual([]);
  });
});
