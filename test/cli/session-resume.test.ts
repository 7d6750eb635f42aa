import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Ran } from './run-bin.js';
import { BIN, eventsIn, runBaton, type Scene, sessionScene, startBaton } from './session-scene.js';

/** A session that rests with a question, which is then answered with yes while nobody drives it. */
async function allowed(scene: Scene): Promise<void> {
  const { err } = await runBaton(scene, ['exec', 'outside', '--approval-policy', 'on-request']);
  const [, item = ''] = /baton answer (\d+) --approve/.exec(err) ?? [];
  expect(await runBaton(scene, ['answer', item, '--approve'])).toMatchObject({ code: 0 });
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
}

test('of two processes in one session, each takes only the end of its own task for its end', async () => {
  const scene = await sessionScene();
  const first = startBaton(scene, ['exec', 'wait']);
  await first.said('$ sh -c');
  const second = await runBaton(scene, ['exec', 'greet me', '--resume', 'LAST']);
  expect(second).toMatchObject({ code: 0, out: 'Hello, this is\nmy answer.\n' });
  expect(await first.ran).toMatchObject({ code: 130, err: expect.stringContaining('Interrupted.') });
});

test('two tasks of a session never have the same id, whoever sends them', async () => {
  const scene = await sessionScene();
  const ids: (string | undefined)[] = [];
  for (const more of [[], ['--resume', 'LAST']]) {
    const { out } = await runBaton(scene, ['exec', 'greet me', '--json', ...more]);
    ids.push(eventsIn(out).find(({ msg }) => msg.type === 'task_started')?.id);
  }
  expect(ids[0]).toMatch(/^exec-/);
  expect(new Set(ids).size).toBe(2);
});

test('without a prompt it goes on with what was allowed meanwhile, until the session rests', async () => {
  const scene = await sessionScene();
  await allowed(scene);
  const { code, out, err } = await runBaton(scene, ['exec', '--resume', 'LAST']);
  expect({ code, out }).toEqual({ code: 0, out: 'That was it.\n' });
  expect(err).toMatch(/^ {2}goes on with: outside\n {2}\$ touch made .*✓ exit 0/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(true);
});

test('without a prompt and with a question that nobody has answered it says again what is asked: exit 3', async () => {
  const scene = await sessionScene();
  await runBaton(scene, ['exec', 'outside', '--approval-policy', 'on-request']);
  const { code, err } = await runBaton(scene, ['exec', '--resume', 'LAST']);
  expect(code).toBe(3);
  expect(err).toContain('? approve command\n      touch made\n');
  expect(err).toMatch(/baton answer \d+ --approve/);
  expect(err).toMatch(/then it goes on: baton exec --resume parcel-\w+\n/);
  const { code: again, out } = await runBaton(scene, ['exec', '--resume', 'LAST', '--json']);
  expect(again).toBe(3);
  expect(eventsIn(out).map(({ msg }) => msg.type)).toEqual(['session_configured', 'exec_approval_request']);
});

test.each([
  ['nothing is pending', ['--resume', 'LAST'], /nothing is pending in parcel-\w+/],
  ['settings would interrupt it', ['--resume', 'LAST', '--max-tokens', '9000'], /--max-tokens/],
  ['there is no session to go on with', [], /what is to be done\?/],
])('without a prompt it is refused where %s', async (_, args, why) => {
  const scene = await sessionScene();
  await runBaton(scene, ['exec', 'greet me']);
  const { code, out, err } = await runBaton(scene, ['exec', ...args]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(why);
});

test('a prompt that comes before what was allowed says that this is not done', async () => {
  const scene = await sessionScene();
  await allowed(scene);
  const { code, out, err } = await runBaton(scene, ['exec', 'greet me', '--resume', 'LAST']);
  expect({ code, out }).toEqual({ code: 0, out: 'Hello, this is\nmy answer.\n' });
  expect(err).toMatch(/^ {2}! This interrupts what was under way: outside\n {4}allowed, and not done: touch made\n/);
  expect(existsSync(path.join(scene.folder, 'made'))).toBe(false);
});

/** Piped by a shell, as people do it: another program's pipe is a socket. */
function throughShell({ folder, env }: Scene, line: string): Promise<Ran> {
  const script = line.replaceAll('baton', `'${process.execPath}' '${BIN}'`);
  const child = spawn('sh', ['-c', script], { cwd: folder, env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

test('what is piped into it beside a prompt stands behind the prompt', async () => {
  const scene = await sessionScene();
  const { code, out } = await throughShell(scene, `printf 'greet me\\n' | baton exec 'What is this?' --json`);
  expect(code).toBe(0);
  const begun = eventsIn(out).find(({ msg }) => msg.type === 'task_started');
  expect(begun?.msg.text).toBe('What is this?\n\n<stdin>\ngreet me\n</stdin>');
  expect(eventsIn(out).at(-1)?.msg.last_agent_message).toContain('my answer.');
});

test.each([
  ['an empty pipe', `: | baton exec 'greet me'`, 0, ''],
  ['nothing at all', `baton exec 'greet me' < /dev/null`, 0, ''],
  ['a prompt where none is wanted', `echo x | baton exec --resume LAST`, 2, 'standard input holds something'],
])('%s is no context', async (_, line, exit, words) => {
  const { code, err } = await throughShell(await sessionScene(), line);
  expect({ code, err }).toEqual({ code: exit, err: expect.stringContaining(words) });
});
