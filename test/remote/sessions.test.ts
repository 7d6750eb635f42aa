import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { baton } from '../cli/run-bin.js';
import { eventsIn, runBaton, type Scene, sessionScene, startBaton } from '../cli/session-scene.js';
import { openPane, READY } from '../cli/terminal-pane.js';
import { ServerProcess } from '../server/server-process.js';

const LONG = { timeout: 120_000 };

type Far = { scene: Scene; server: ServerProcess };

/** A server with a home of its own; the scene's command line knows its address and a token, and neither home nor key. */
async function farScene(role = 'admin'): Promise<Far> {
  const { folder, env } = await sessionScene();
  const { BATON_HOME: home = '', OPENAI_BASE_URL: _, OPENAI_API_KEY: __, ...rest } = env;
  const server = new ServerProcess(home, { env });
  onTestFinished(() => server.stop());
  await server.start();
  const made = baton(['token', 'create', '--role', role, '--name', 'anna', '--json'], { env: { BATON_HOME: home } });
  const { token } = JSON.parse(made.out) as { token: string };
  const here = { BATON_HOME: path.join(folder, '..', 'nothing'), BATON_URL: server.url, BATON_TOKEN: token };
  return { scene: { folder, env: { ...rest, ...here } }, server };
}

test('a task is done by the server that BATON_URL names, and gone on with by LAST', LONG, async () => {
  const { scene } = await farScene();
  const first = await runBaton(scene, ['exec', 'look around', '--json']);
  const [configured] = eventsIn(first.out);
  expect({ code: first.code, msg: configured?.msg }).toMatchObject({ code: 0, msg: { cwd: scene.folder } });
  const second = await runBaton(scene, ['exec', 'greet me', '--resume', 'LAST', '--sandbox', 'read-only', '--json']);
  const settings = eventsIn(second.out).flatMap(({ msg }) => (msg.type === 'session_configured' ? [msg] : []));
  expect({ code: second.code, settings }).toMatchObject({
    code: 0,
    settings: [
      { session_id: configured?.msg.session_id, sandbox_policy: { mode: 'workspace-write' } },
      { session_id: configured?.msg.session_id, sandbox_policy: { mode: 'read-only' } },
    ],
  });
  expect(existsSync(scene.env.BATON_HOME ?? '')).toBe(false);
});

test('a question waits at the server: exit 3, answered, and chat goes on with it', LONG, async () => {
  const { scene } = await farScene();
  const asked = await runBaton(scene, ['exec', 'outside', '--approval-policy', 'on-request']);
  expect(asked.code).toBe(3);
  const [, item = ''] = /baton answer (\d+) --approve/.exec(asked.err) ?? [];
  expect(await runBaton(scene, ['answer', item, '--approve'])).toMatchObject({ code: 0 });
  const pane = openPane(scene, ['chat', '--resume', 'LAST']);
  await pane.shows(/That was it\.[\s\S]*\n> *$/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(true);
  pane.keys('greet me', 'Enter');
  await pane.shows(/my answer\.\n[\s\S]*\n> *$/);
  pane.keys('/quit', 'Enter');
  await pane.shows('left 0');
});

test('a server that is killed and comes back is gone on with: nothing is lost, nothing done twice', LONG, async () => {
  const { scene, server } = await farScene();
  const ran = startBaton(scene, ['exec', 'wait for it', '--json']);
  await expect.poll(() => existsSync(path.join(scene.folder, 'ran')), { timeout: 30_000 }).toBe(true);
  await server.kill();
  await ran.said('does not answer. Its sessions are safe');
  await server.start();
  const { code, out } = await ran.ran;
  const events = eventsIn(out);
  const lasting = events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  expect({ code, twice: lasting.length - new Set(lasting).size }).toEqual({ code: 0, twice: 0 });
  expect(lasting).toEqual([...lasting].sort((one, other) => one - other));
  expect(events.filter(({ msg }) => msg.type === 'task_complete')).toHaveLength(1);
  expect(readFileSync(path.join(scene.folder, 'ran'), 'utf8')).toBe('ran\n');
});

test('chat tells that the server is away, and what was typed meanwhile arrives', LONG, async () => {
  const { scene, server } = await farScene();
  const pane = openPane(scene, ['chat']);
  await pane.shows(READY);
  await server.kill();
  await pane.shows('does not answer');
  pane.keys('greet me', 'Enter');
  await server.start();
  await pane.shows(/answers again\.[\s\S]*Hello, this is\nmy answer\.[\s\S]*\n> *$/);
});

test.each([
  ['Ctrl-C twice', ['C-c'], ['C-c']],
  ['/quit', [], ['/quit', 'Enter']],
])('while the server is away %s leaves at once, and says that the session stays', LONG, async (_name, first, then) => {
  const { scene, server } = await farScene();
  const pane = openPane(scene, ['chat', 'hang now']);
  await pane.shows('It begins');
  await server.kill();
  await pane.shows('does not answer');
  if (first.length > 0) {
    pane.keys(...first);
    await pane.shows(/Once\s+more Ctrl-C leaves/);
  }
  pane.keys(...then);
  await pane.shows(/parcel-\w+ stays at its server[\s\S]*baton chat --resume parcel-\w+\s+left 0/);
});

test(
  'standard input and output are relayed: bad lines are answered, at the end a task is interrupted',
  LONG,
  async () => {
    const { scene } = await farScene();
    const lines = [
      { id: '1', op: { type: 'configure_session', cwd: scene.folder } },
      { id: '2', op: { type: 'user_input', items: [{ type: 'text', text: 'hang' }] } },
    ].map((line) => `${JSON.stringify(line)}\n`);
    const far = startBaton(scene, ['session']);
    far.write(`no JSON\n${' '.repeat(1_100_000)}\n${lines.join('')}`);
    await far.said('It begins');
    far.end();
    const { code, out } = await far.ran;
    const events = eventsIn(out).filter(({ msg }) => !msg.type.endsWith('_delta'));
    expect({ code, events: events.map(({ id, msg }) => [id, msg.type, msg.code ?? null]) }).toEqual({
      code: 0,
      events: expect.arrayContaining([
        ['', 'error', 'SCHEMA_INVALID'],
        ['', 'error', 'PAYLOAD_TOO_LARGE'],
        ['1', 'session_configured', null],
        ['2', 'task_started', null],
        ['2', 'error', 'INTERRUPTED'],
      ]),
    });
    expect(events).toHaveLength(5);
  },
);

test('every end of input interrupts, also of a client that comes back under its name', LONG, async () => {
  const { scene } = await farScene();
  const client = 'editor';
  let enter: object = { type: 'configure_session', cwd: scene.folder, client };
  for (const id of ['first', 'second']) {
    const input = { type: 'user_input', items: [{ type: 'text', text: 'hang' }] };
    const lines = [
      { id: `enter ${id}`, op: enter },
      { id, op: input },
    ];
    const far = startBaton(scene, ['session']);
    far.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await far.said('agent_message_delta');
    far.end();
    const { code, out } = await far.ran;
    const events = eventsIn(out);
    expect({ code, last: events.at(-1) }).toMatchObject({ code: 0, last: { id, msg: { code: 'INTERRUPTED' } } });
    enter = { type: 'attach', session_id: events[0]?.msg.session_id, after: events.at(-1)?.seq, client };
  }
});

test('standard input that ends at once leaves nothing running, and a shutdown ends it', LONG, async () => {
  const { scene } = await farScene();
  expect(await runBaton(scene, ['session'])).toEqual({ code: 0, out: '', err: '' });
  const far = startBaton(scene, ['session']);
  far.write(
    `{"id":"1","op":{"type":"configure_session","cwd":"${scene.folder}"}}\n{"id":"2","op":{"type":"shutdown"}}\n`,
  );
  const { code, out } = await far.ran;
  const types = eventsIn(out).map(({ msg }) => msg.type);
  expect({ code, types }).toEqual({ code: 0, types: ['session_configured', 'shutdown_complete'] });
});

test('whoever may not, and whoever nobody knows, is told so', LONG, async () => {
  const { scene, server } = await farScene('viewer');
  expect(await runBaton(scene, ['exec', 'greet'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('configure_session is for the role orchestrator and above, not for viewer'),
  });
  const unknown = { ...scene, env: { ...scene.env, BATON_TOKEN: 'baton_nobody' } };
  for (const args of [['exec', 'greet'], ['session']]) {
    expect(await runBaton(unknown, args)).toMatchObject({ code: 1, err: expect.stringContaining('UNAUTHENTICATED') });
  }
  await server.stop();
  expect(await runBaton(scene, ['exec', 'greet'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('SERVER_UNREACHABLE'),
  });
  expect(await runBaton(scene, ['session', '--listen', 'tcp://127.0.0.1:0'])).toMatchObject({ code: 2 });
});

test('of a server on another machine, folders and files are its own', LONG, async () => {
  const { folder, env } = await sessionScene();
  const far = { folder, env: { ...env, BATON_URL: 'https://baton.invalid', BATON_TOKEN: 'baton_x' } };
  expect(await runBaton(far, ['exec', 'greet'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('sessions of https://baton.invalid work in folders there: name one with --cwd'),
  });
});
