import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REQUEST_FILE, RESPONSE_FILE, STATE_FILE } from '../../../src/contracts/bridge/bridge-file-names.js';
import { BridgeStage, FIRST_ID, OTHER_ID, responseTo, type Started } from './bridge-stage.js';

const TELLS = `
if not RESUME:
    put(STATE, state())
    ask()
said = read(RESPONSE)
print(said["status"], said.get("error_type"), said.get("response"))`;

/** A handler that waits for a person. */
async function waiting(): Promise<{ stage: BridgeStage; handler: Started }> {
  const stage = new BridgeStage();
  const handler = stage.start(['bridge', 'run', '--agent', 'human', '--', ...stage.python(TELLS)]);
  await stage.until(async () => (await stage.status()).status === 'waiting');
  return { stage, handler };
}

describe('while a handler waits for a person', () => {
  test('text is the answer [R182]', async () => {
    const { stage, handler } = await waiting();
    const { exit, out } = await stage.given('by hand', 'bridge', 'respond', '--json');
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ request_id: FIRST_ID, status: 'success' });
    expect(await handler.ended).toMatchObject({ exit: 0, out: 'success None by hand\n' });
    expect(stage.files()).toEqual([]);
  });

  test('a whole response of another request is refused, and nothing moves [R183]', async () => {
    const { stage, handler } = await waiting();
    const refused = await stage.given(JSON.stringify(responseTo(OTHER_ID)), 'bridge', 'respond');
    expect([refused.exit, refused.err]).toEqual([1, expect.stringContaining('VALIDATION_ERROR')]);
    expect(stage.has(RESPONSE_FILE)).toBe(false);
    expect((await stage.status()).status).toBe('waiting');
    const own = responseTo(FIRST_ID, { response: 'whole', metadata: { confidence: 0.9 } });
    expect((await stage.given(JSON.stringify(own), 'bridge', 'respond')).exit).toBe(0);
    expect(await handler.ended).toMatchObject({ exit: 0, out: 'success None whole\n' });
  });

  test('cancelled: the orchestrator is told so [R196]', async () => {
    const { stage, handler } = await waiting();
    const said = responseTo(FIRST_ID, { status: 'cancelled', response: undefined, error_message: 'not now' });
    expect((await stage.given(JSON.stringify(said), 'bridge', 'respond')).exit).toBe(0);
    expect(await handler.ended).toMatchObject({ exit: 0, out: 'cancelled UNKNOWN None\n' });
  });

  test('an answer in the inbox', async () => {
    const { stage, handler } = await waiting();
    const inbox = JSON.parse((await stage.cli('inbox', '--json')).out) as { items: { item: number }[] };
    expect(inbox.items).toHaveLength(1);
    const answered = await stage.cli('answer', String(inbox.items[0]?.item), '--text', 'from the inbox');
    expect([answered.exit, answered.err]).toEqual([0, expect.any(String)]);
    expect(await handler.ended).toMatchObject({ exit: 0, out: 'success None from the inbox\n' });
    expect(JSON.parse((await stage.cli('inbox', '--json')).out)).toMatchObject({ items: [] });
  });

  test('an answer by hand of another home is refused: that home knows nothing of the request', async () => {
    const { stage, handler } = await waiting();
    const home = stage.newHome('other');
    const respond = stage.start(['bridge', 'respond'], { home });
    respond.child.stdin.end('not mine to give');
    const { exit, err } = await respond.ended;
    expect([exit, err]).toEqual([1, expect.stringContaining('BRIDGE_BUSY')]);
    expect([stage.has(REQUEST_FILE), stage.has(RESPONSE_FILE)]).toEqual([true, false]);
    await stage.given('mine', 'bridge', 'respond');
    expect(await handler.ended).toMatchObject({ exit: 0, out: 'success None mine\n' });
  });

  test('while an agent is asked, an answer by hand is faster, and the agent is ended', async () => {
    const stage = new BridgeStage();
    const agent = await stage.shell('slow', `echo $$ >"${stage.folder}/pid"\nexec sleep 600`);
    const handler = stage.start(['bridge', 'run', '--agent', agent, '--', ...stage.python(TELLS)]);
    const pid = path.join(stage.folder, 'pid');
    await stage.until(() => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
    expect((await stage.given('by hand', 'bridge', 'respond')).exit).toBe(0);
    expect(await handler.ended).toMatchObject({ exit: 0, out: 'success None by hand\n' });
    expect(existsSync(`/proc/${readFileSync(pid, 'utf8').trim()}`)).toBe(false);
    expect(stage.asked()).toHaveLength(1);
  });

  test('a second handler is refused, whatever its home; so are watch and cleanup', async () => {
    const { stage, handler } = await waiting();
    const command = ['--', 'sh', '-c', 'touch second'];
    const home = stage.newHome('other');
    for (const [words, where] of [
      [['bridge', 'run', ...command], {}],
      [['bridge', 'run', ...command], { home }],
      [['bridge', 'run', '--dir', path.join('..', path.basename(stage.dir)), ...command], { home }],
      [['bridge', 'watch'], {}],
      [['bridge', 'cleanup'], {}],
    ] as const) {
      const { exit, err } = await stage.start(words, where).ended;
      expect([words[1], exit, err]).toEqual([words[1], 1, expect.stringContaining('BRIDGE_BUSY')]);
    }
    expect([stage.has('second'), stage.has(REQUEST_FILE)]).toEqual([false, true]);
    await stage.given('done', 'bridge', 'respond');
    expect((await handler.ended).exit).toBe(0);
  });
});

describe('without a handler', () => {
  async function asked(text = TELLS): Promise<{ stage: BridgeStage; command: readonly string[] }> {
    const stage = new BridgeStage();
    const command = stage.python(text);
    expect((await stage.byHand(command)).exit).toBe(42);
    return { stage, command };
  }

  test('an orchestrator started by hand is answered by hand [R181] [R182]', async () => {
    const { stage, command } = await asked();
    expect((await stage.given('by hand', 'bridge', 'respond')).exit).toBe(0);
    expect(stage.files()).toEqual([RESPONSE_FILE, STATE_FILE]);
    expect(JSON.parse(stage.text(RESPONSE_FILE))).toMatchObject({
      ...{ request_id: FIRST_ID, version: '1.0', status: 'success', response: 'by hand' },
    });
    const { exit, out } = await stage.byHand([...command, '--resume']);
    expect([exit, out]).toEqual([0, 'success None by hand\n']);
  });

  test('a second answer is refused, and the first stays', async () => {
    const { stage } = await asked();
    await stage.given('first', 'bridge', 'respond');
    const { exit } = await stage.given('second', 'bridge', 'respond');
    expect(exit).toBe(1);
    expect(JSON.parse(stage.text(RESPONSE_FILE))).toMatchObject({ response: 'first' });
  });

  test('a whole response of another request is refused, and nothing moves [R183]', async () => {
    const { stage } = await asked();
    const { exit, err } = await stage.given(JSON.stringify(responseTo(OTHER_ID)), 'bridge', 'respond');
    expect([exit, err]).toEqual([1, expect.stringContaining('VALIDATION_ERROR')]);
    expect(stage.files()).toEqual([REQUEST_FILE, STATE_FILE]);
  });

  test('nothing was asked: BRIDGE_NO_REQUEST', async () => {
    const stage = new BridgeStage();
    const { exit, err } = await stage.given('what?', 'bridge', 'respond');
    expect([exit, err]).toEqual([1, expect.stringContaining('BRIDGE_NO_REQUEST')]);
  });

  test('the library ends with 1 when it is cancelled, and asks again when it is started again [R196] [R198]', async () => {
    const text = `
from baton_bridge import Bridge
bridge = Bridge()
print(bridge.ask(1, "analysis", "reviewer", "Say what you see. " * 10, fallback=lambda why: "fallback").value)
bridge.finish()`;
    const { stage, command } = await asked(text);
    const { request_id } = JSON.parse(stage.text(REQUEST_FILE)) as { request_id: string };
    const said = responseTo(request_id, { status: 'cancelled', response: undefined });
    await stage.given(JSON.stringify(said), 'bridge', 'respond');
    const cancelled = await stage.byHand([...command, '--resume']);
    expect([cancelled.exit, cancelled.err]).toEqual([1, expect.stringContaining('BridgeCancelled')]);
  });

  test('watch answers two folders, and one of them twice; it ends when it is told to', async () => {
    const stage = new BridgeStage();
    const other = path.join(stage.folder, 'other-project');
    mkdirSync(other);
    const watch = stage.start(['bridge', 'watch', '--agent', stage.says('watched'), stage.dir, other, '--json']);
    const command = stage.python(TELLS);
    const twice = stage.python(
      `${TELLS}\nif not os.path.exists("again"):\n    put("again", "1"); os.remove(RESPONSE)\n    ask(request_id=ID + "2", prompt="y" * 100)`,
      'twice.py',
    );
    expect((await stage.byHand(twice)).exit).toBe(42);
    await stage.until(() => stage.has(RESPONSE_FILE) && !stage.has(REQUEST_FILE));
    expect((await stage.byHand([...twice, '--resume'])).exit).toBe(42);
    await stage.until(() => stage.has(RESPONSE_FILE) && !stage.has(REQUEST_FILE));
    expect(await stage.byHand([...twice, '--resume'])).toMatchObject({ exit: 0, out: 'success None watched\n' });
    expect((await stage.byHand(command, other)).exit).toBe(42);
    await stage.until(() => !existsSync(path.join(other, REQUEST_FILE)));
    expect((await stage.byHand([...command, '--resume'], other)).exit).toBe(0);
    watch.child.kill('SIGTERM');
    const { exit, out } = await watch.ended;
    expect(exit).toBe(130);
    const lines = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { request_id: string });
    expect(lines.map(({ request_id }) => request_id.at(-1))).toEqual(['1', '2', '1']);
  });

  test('watch waits for the other half of a request', async () => {
    const stage = new BridgeStage();
    const whole = JSON.stringify({
      ...{ request_id: OTHER_ID, version: '1.0', phase: 1, phase_name: 'analysis', agent_name: 'reviewer' },
      ...{ prompt: 'Say what you see. '.repeat(10), created_at: '2026-01-01T00:00:00Z' },
    });
    stage.put(REQUEST_FILE, whole.slice(0, 50));
    const watch = stage.start(['bridge', 'watch', '--agent', stage.says('watched')]);
    await stage.until(() => watch.said.err.includes('SCHEMA_INVALID'));
    stage.put(REQUEST_FILE, whole);
    await stage.until(() => stage.has(RESPONSE_FILE) && !stage.has(REQUEST_FILE));
    expect(JSON.parse(stage.text(RESPONSE_FILE))).toMatchObject({ request_id: OTHER_ID, response: 'watched' });
  });

  test('cleanup removes the three files, says which, and what was kept is not gone on with [R227]', async () => {
    const { stage } = await asked();
    const { exit, out } = await stage.cli('bridge', 'cleanup', '--json');
    expect([exit, JSON.parse(out)]).toMatchObject([0, { removed: [REQUEST_FILE, STATE_FILE] }]);
    expect(stage.files()).toEqual([]);
    const again = await stage.cli('bridge', 'cleanup');
    expect([again.exit, again.err]).toEqual([0, 'There was nothing to clean up.\n']);
  });

  test('after cleanup a run that failed begins anew', async () => {
    const stage = new BridgeStage();
    const command = stage.python('print(RESUME)\nput(STATE, state())\nsys.exit(3)');
    expect((await stage.run(stage.says('x'), command)).out).toBe('False\n');
    expect((await stage.run(stage.says('x'), command)).out).toBe('True\n');
    await stage.cli('bridge', 'cleanup');
    expect((await stage.run(stage.says('x'), command)).out).toBe('False\n');
  });
});
