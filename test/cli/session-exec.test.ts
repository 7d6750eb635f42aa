import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { event as eventContract } from '../../src/contracts/session/event.js';
import { parseContract } from '../../src/contracts/shared/contract.js';
import { eventsIn, runBaton, sessionScene, startBaton } from './session-scene.js';

test('[R512] its output is what the model says last, and the rest is told beside it', async () => {
  const { code, out, err } = await runBaton(await sessionScene(), ['exec', 'look around']);
  expect({ code, out }).toEqual({ code: 0, out: 'I have seen it.\n' });
  expect(err).toContain('  I look.\n');
  expect(err).toMatch(/\$ echo seen {3}✓ exit 0 · [\d.]+s\n {6}seen\n/);
  expect(err).toMatch(/go on: baton exec --resume parcel-\w+ "…"/);
});

test('with --json every event is a line that keeps the contract, in the order of the session', async () => {
  const { code, out } = await runBaton(await sessionScene(), ['exec', 'look around', '--json']);
  expect(code).toBe(0);
  const events = eventsIn(out);
  for (const event of events) parseContract(eventContract, event);
  const lasting = events.flatMap(({ seq }) => (seq === undefined ? [] : [seq]));
  expect(lasting).toEqual([...lasting].sort((one, other) => one - other));
  const types = events.map(({ msg }) => msg.type).filter((type) => !type.endsWith('_delta'));
  expect(types).toEqual([
    ...['session_configured', 'task_started', 'agent_message', 'token_count', 'exec_command_begin', 'exec_command_end'],
    ...['turn_complete', 'agent_message', 'token_count', 'turn_complete', 'task_complete'],
  ]);
});

test('the prompt comes from standard input, what is said last goes to a file, too', async () => {
  const scene = await sessionScene();
  const ran = await runBaton(scene, ['exec', '-', '--output-last-message', 'said.txt'], 'greet me\n');
  expect(ran).toMatchObject({ code: 0, out: 'Hello, this is\nmy answer.\n' });
  expect(readFileSync(path.join(scene.folder, 'said.txt'), 'utf8')).toBe('Hello, this is\nmy answer.');
});

test('a session is gone on with by its id, the beginning of it, or LAST', async () => {
  const scene = await sessionScene();
  const first = eventsIn((await runBaton(scene, ['exec', 'greet me', '--json'])).out);
  const id = String(first[0]?.msg.session_id);
  for (const name of [id, id.slice(0, -2), 'LAST']) {
    const { code, out } = await runBaton(scene, ['exec', 'greet me', '--resume', name, '--json']);
    expect({ code, first: eventsIn(out)[0]?.msg }).toMatchObject({ code: 0, first: { session_id: id, resumed: true } });
  }
  const { out } = await runBaton(scene, ['runs', '--kind', 'session', '--json']);
  expect(JSON.parse(out).items).toHaveLength(1);
});

test('a session that is gone on with under other settings keeps the rest of them', async () => {
  const scene = await sessionScene();
  await runBaton(scene, ['exec', 'greet me', '--model', 'small', '--sandbox', 'read-only', '--max-tokens', '90000']);
  const { out } = await runBaton(scene, [
    'exec',
    'greet me',
    '--resume',
    'LAST',
    '--approval-policy',
    'untrusted',
    '--json',
  ]);
  const configured = eventsIn(out).findLast(({ msg }) => msg.type === 'session_configured');
  expect(configured?.msg).toMatchObject({
    ...{ model: 'small', approval_policy: 'untrusted', sandbox_policy: { mode: 'read-only' } },
  });
});

test('a session of a program that is gone on with under other settings keeps what only the program has said', async () => {
  const scene = await sessionScene();
  const limits = { interactions: 5, tokens: 90_000 };
  const more = { classification: 'Component.Web.Build.Worker.Beta.Restricted', security: { tools: ['update_plan'] } };
  const op = { type: 'configure_session', cwd: scene.folder, instructions: 'Be brief.', limits, ...more };
  await runBaton(scene, ['session'], `${JSON.stringify({ id: 'a', op })}\n`);
  expect(await runBaton(scene, ['exec', 'greet me', '--resume', 'LAST', '--model', 'small'])).toMatchObject({
    code: 0,
  });
  const { items } = JSON.parse((await runBaton(scene, ['runs', '--kind', 'session', '--json'])).out);
  const { out } = await runBaton(scene, ['events', '--run', items[0].run_id, '--json']);
  const { items: events } = JSON.parse(out) as { items: { type: string; data: { order: object } }[] };
  const orders = events.flatMap(({ type, data }) => (type === 'SessionConfigured' ? [data.order] : []));
  expect(orders).toHaveLength(2);
  expect(orders[1]).toEqual({ ...orders[0], model: 'small' });
});

test.each([
  ['too long', `greet ${'x'.repeat(1_200_000)}`, 'PAYLOAD_TOO_LARGE'],
  ['with a character that no text has', 'greet \0 me', 'SCHEMA_INVALID'],
])('a prompt %s is refused, and it ends', async (_, prompt, code) => {
  const ran = await runBaton(await sessionScene(), ['exec', '-'], prompt);
  expect(ran).toMatchObject({ code: 1, err: expect.stringContaining(code) });
});

test('where nobody can be asked, what would need a yes is not done', async () => {
  const scene = await sessionScene();
  expect(await runBaton(scene, ['exec', 'outside'])).toMatchObject({ code: 0, out: 'That was it.\n' });
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
});

test('[R505] a question waits in the inbox: exit 3 and how to answer; answered, it goes on where it was', async () => {
  const scene = await sessionScene();
  const asked = await runBaton(scene, ['exec', 'outside', '--approval-policy', 'on-request']);
  expect(asked.code).toBe(3);
  expect(asked.err).toContain('? approve command\n      touch made\n');
  const [, item = ''] = /baton answer (\d+) --approve/.exec(asked.err) ?? [];
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
  const answered = await runBaton(scene, ['answer', item, '--approve']);
  expect(answered.code).toBe(0);
  expect(answered.err).toMatch(/does it, this once\.\n {2}Nobody drives it now: baton exec --resume parcel-\w+\n$/);
  const { out: status } = await runBaton(scene, []);
  expect(status).toMatch(/^1 running · 0 wait for you/);
  expect(status).toMatch(/parcel-\w+ +running .* nobody drives it: baton exec --resume parcel-\w+\n/);
  const session = startBaton(scene, ['session', '--resume', 'LAST']);
  expect(await session.said('"task_complete"')).toContain('That was it.');
  session.end();
  expect(await session.ran).toMatchObject({ code: 0 });
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(true);
});

test('[R503] Ctrl-C interrupts the task: exit 130, and the session takes new input', async () => {
  const scene = await sessionScene();
  const started = startBaton(scene, ['exec', 'hang', '--json']);
  await started.said('agent_message_delta');
  started.kill('SIGINT');
  const { code, out } = await started.ran;
  expect({ code, last: eventsIn(out).at(-1)?.msg.code }).toEqual({ code: 130, last: 'INTERRUPTED' });
  expect(await runBaton(scene, ['exec', 'greet me', '--resume', 'LAST'])).toMatchObject({ code: 0 });
});

test('[R504] a task that fails is exit 1 with the reason', async () => {
  const { code, out, err } = await runBaton(await sessionScene(), ['exec', 'refuse']);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^Failed: .*\. [A-Z_]+$/m);
});

test('it ends with its task, also when a server of tools did not start', async () => {
  const scene = await sessionScene();
  const home = scene.env.BATON_HOME ?? '';
  mkdirSync(home, { mode: 0o700 });
  const session = { mcp_servers: { broken: { command: ['no-such-program-here'] } } };
  writeFileSync(path.join(home, 'config.json'), JSON.stringify({ session }), { mode: 0o600 });
  expect(await runBaton(scene, ['exec', 'greet me'])).toMatchObject({ code: 0, out: 'Hello, this is\nmy answer.\n' });
});

test('a limit that is reached is exit 4, and the line that goes on raises it', async () => {
  const scene = await sessionScene();
  const { code, err } = await runBaton(scene, ['exec', 'look around', '--max-tokens', '10']);
  expect({ code, err }).toMatchObject({ code: 4, err: expect.stringContaining('LIMIT_REACHED') });
  expect(err).not.toContain('configure_session');
  const [, words = ''] = /go on: baton (exec --resume \S+ --max-tokens \d+) "…"/.exec(err) ?? [];
  expect(words, err).not.toBe('');
  expect(await runBaton(scene, [...words.split(' '), 'greet me'])).toMatchObject({ code: 0 });
});

test.each([
  ['in a folder that is not there', 'nowhere/said.txt', 'there is no folder'],
  ['that is a folder', '.', 'is a folder'],
])('a file for the last message %s is refused before anything is spent', async (_, file, why) => {
  const scene = await sessionScene();
  const { code, out, err } = await runBaton(scene, ['exec', 'greet me', '--output-last-message', file]);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(new RegExp(`^Refused: .*${why}.*\\. FILE_UNWRITABLE\\n  \\S.*\\n$`));
  const { out: runs } = await runBaton(scene, ['runs', '--kind', 'session', '--json']);
  expect(JSON.parse(runs).items).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a file for the last message that fails at the end takes nothing of what was said',
  async () => {
    const ran = await runBaton(await sessionScene(), ['exec', 'greet me', '--output-last-message', '/dev/full']);
    expect(ran).toMatchObject({ code: 1, out: 'Hello, this is\nmy answer.\n' });
    expect(ran.err).toMatch(
      /cannot be written \(ENOSPC\)\. FILE_UNWRITABLE\n {2}What was said last is kept: baton chat/,
    );
    expect(ran.err).toContain('go on: baton exec --resume');
  },
);

test('its help says that --json prints a line for each event', async () => {
  const { out } = await runBaton(await sessionScene(), ['exec', '--help']);
  expect(out).toMatch(/--json +Print every event, one JSON object a line/);
  expect(out).not.toContain('one JSON value');
});

test('what the model writes cannot touch the terminal', async () => {
  const { out, err } = await runBaton(await sessionScene(), ['exec', 'escape']);
  expect(out).toBe('red \ufffd[31m clip \ufffd]52;c;Zm9v\ufffd back \ufffdover\n');
  expect(out + err).not.toContain('\u001b');
});

test.each([
  [['exec', 'x', '--cwd', 'nowhere'], 'INPUT_UNREADABLE'],
  [['exec', 'x', '--resume', 'nobody'], 'RUN_NOT_FOUND'],
  [['exec', 'x', '--resume', 'LAST'], 'SESSION_NOT_FOUND'],
  [['exec', 'x', '--provider', 'nobody'], 'AGENT_NOT_FOUND'],
  [['exec', '   '], 'what is to be done?'],
  [['exec', 'x', '--sandbox', 'none'], '--sandbox takes'],
  [['chat'], 'needs a terminal'],
])('%j is refused with %s', async (args, why) => {
  const { code, err } = await runBaton(await sessionScene(), args);
  expect([1, 2]).toContain(code);
  expect(err).toContain(why);
});
