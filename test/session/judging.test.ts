/** What is known about a call before it is done, and what a model is told of one that is not. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SessionStory } from '../../src/core/session/session-story.js';
import { wireEvent } from '../../src/engine/session/wire-event.js';
import { SessionStage } from './session-stage.js';

let stage: SessionStage;
beforeEach(() => {
  stage = new SessionStage();
});
afterEach(() => stage.close());

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const patch = (...lines: string[]): object => ({ input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

describe('a command', () => {
  test('is judged by the rules of the repository', async () => {
    stage.rules = [
      { id: '1', decision: 'deny', argv: ['git', 'push'] },
      { id: '2', decision: 'ask', argv: ['npm', 'publish'] },
      { id: '3', decision: 'allow', argv: ['make'] },
    ];
    const facts = async (command: string) => (await stage.deed('exec_command', { command })).facts;
    expect(await facts('ls && git push origin')).toMatchObject({ rule: 'deny', reason: 'rule 1 says: deny git push' });
    expect(await facts('npm publish')).toMatchObject({ rule: 'ask', reason: 'rule 2 says: ask npm publish' });
    expect(await facts('make all')).toMatchObject({ rule: 'allow', isKnownSafe: false });
    expect(await facts('make all; rm -rf x')).toMatchObject({ rule: null, isKnownSafe: false });
    expect(await facts('cat a | grep b')).toMatchObject({ rule: null, isKnownSafe: true, reason: null });
    expect(await facts('cat a > b')).toMatchObject({ rule: null, isKnownSafe: false });
    expect(await facts('cat $(which sh)')).toMatchObject({ isKnownSafe: false });
  });

  test('is known to only read when it leaves the sandbox only if it touches nothing', async () => {
    const more = { with_escalated_permissions: true, justification: 'to\u001b[2J see' };
    const { facts } = await stage.deed('exec_command', { command: 'cat /etc/passwd', ...more });
    expect(facts).toMatchObject({ isKnownSafe: false, wantsOutside: true });
    expect(facts.reason).toBe('it would run outside of the sandbox; the model says: to\\u{1b}[2J see');
  });

  test('is asked for by what would run: another argument, folder, policy or side is another hash', async () => {
    mkdirSync(path.join(stage.cwd, 'deep'));
    const hashes = async (given: object) => (await stage.deed('exec_command', given)).hashes;
    const first = await hashes({ command: ['touch', 'a'] });
    expect(await hashes({ command: ['touch', 'a'], timeout_ms: 5, workdir: '.' })).toEqual(first);
    const others = [
      await hashes({ command: ['touch', 'b'] }),
      await hashes({ command: ['touch a'] }),
      await hashes({ command: ['touch', 'a'], workdir: 'deep' }),
    ];
    stage.set({ networkAccess: true });
    others.push(await hashes({ command: ['touch', 'a'] }));
    const all = [first, ...others].flatMap(({ inside, outside }) => [inside, outside]);
    expect(new Set(all).size).toBe(10);
  });

  test('however long, is asked for with a reason that is short and on one line', async () => {
    for (const command of [['node', '-e', `\u001b[2J${'x'.repeat(80_000)}`], `echo > ${'y'.repeat(2_000)}`]) {
      const { facts } = await stage.deed('exec_command', { command });
      expect(facts.reason).toMatch(/^(?:no rule allows node -e '\\u\{1b\}\[2Jxxx|it writes to yyy)/);
      expect(facts.reason?.length).toBeLessThanOrEqual(500);
    }
  });

  test('in a folder that is not there, or is none, is told back', async () => {
    stage.write('file', '');
    expect(await stage.answered('exec_command', { command: 'ls', workdir: 'nowhere' })).toContain('there is no folder');
    expect(await stage.answered('exec_command', { command: 'ls', workdir: 'file' })).toContain('is no folder');
  });

  test('that could not be judged is told back with the reason, which clients are told too, without secrets', async () => {
    stage.failing = new Error(`/x/baton.json is a folder ${stage.secrets[0]}`);
    const judged = await stage.call('exec_command', { command: 'ls' });
    if (judged.type !== 'answer') throw new Error('it would be done');
    expect(judged.problem).toMatch(/^\/x\/baton\.json is a folder \[/);
    expect(await stage.told(judged.output)).toBe(`Not done: it could not be judged: ${judged.problem}.`);
    const story = new SessionStory()
      .configure()
      .input()
      .answers(1)
      .judges({ ...judged, callId: 'call-1' });
    const { type, ...data } = story.last('CallAnswered');
    const wire = await wireEvent(
      { seq: 9, type, data: JSON.stringify(data) },
      { session: 's', body: async () => undefined },
    );
    expect(wire?.msg).toEqual({
      ...{ type: 'warning', code: 'CALL_NOT_JUDGED', details: { call_id: 'call-1' } },
      message: `call-1 was not done, because it could not be judged: ${judged.problem}`,
    });
  });

  test('with a secret in it is not kept, so it is not done', async () => {
    const [secret] = stage.secrets;
    expect(await stage.answered('exec_command', { command: `curl -H ${secret} x` })).toContain('looks like a secret');
    const patch = '*** Begin Patch\n*** Add File: k.txt\n+AKIAIOSFODNN7EXAMPLE\n*** End Patch\n';
    expect(await stage.answered('apply_patch', { input: patch })).toContain('looks like a secret');
    expect(await stage.answered('exec_command', { command: 'wc -c <<< AKIAIOSFODNN7EXAMPLE' })).toContain('secret');
  });
});

describe('what no tool of the session can do', () => {
  test('is told back with the tools that there are', async () => {
    const words = await stage.answered('make_coffee\u001b', {});
    expect(words).toBe(
      'There is no tool make_coffee\\u{1b} in this session; there are exec_command, apply_patch, update_plan, view_image.',
    );
    expect(await stage.answered('mcp__none__x', {})).toContain('There is no tool mcp__none__x');
    stage.policy = { ...stage.policy, tools: ['update_plan'] };
    expect(await stage.answered('exec_command', { command: 'ls' })).toContain('there are update_plan.');
    expect(await stage.answered('exec_command', { command: ['apply_patch', 'x'] })).toContain('no tool apply_patch');
  });

  test('is told back when its arguments are no JSON', async () => {
    expect(await stage.answered('exec_command', '{"command": [')).toMatch(/^Not done: the arguments of exec_command/);
  });
});

test('64 calls of one response are judged one by one, by their order, also under the same name', async () => {
  const items = Array.from({ length: 64 }, (_, index) => ({
    ...{ call_id: 'same', name: 'exec_command' },
    arguments: JSON.stringify({ command: ['echo', `${index} ${'é'.repeat(300)}`] }),
  }));
  const judged = await stage.judge(...items);
  const titles = judged.map((one) => (one.type === 'deed' ? one.title : ''));
  expect(titles.every((title, index) => title.startsWith(`echo '${index} é`))).toBe(true);
  expect(judged.map(({ callId }) => callId)).toEqual(items.map((_, index) => `call-${index + 1}`));
  // All of it is one event.
  expect(Buffer.byteLength(JSON.stringify(judged))).toBeLessThan(64 * 1024);
});

test('a plan is shown, and nothing is done', async () => {
  const judged = await stage.call('update_plan', { plan: [{ step: 'one', status: 'in_progress' }] });
  expect(judged).toMatchObject({ type: 'answer', output: { words: 'The plan is shown.' } });
  if (judged.type !== 'answer' || !judged.plan) throw new Error('no plan');
  expect(JSON.parse(stage.text(judged.plan))).toEqual({
    explanation: null,
    plan: [{ step: 'one', status: 'in_progress' }],
  });
});

describe('a patch', () => {
  test('[R494] inside of the folder is applied as it was shown', async () => {
    stage.write('a.txt', 'one\ntwo\n');
    const judged = await stage.deed('apply_patch', patch('*** Update File: a.txt', '@@', ' one', '-two', '+three'));
    expect(JSON.parse(stage.text(judged.shown)).changes['a.txt'].type).toBe('update');
    expect(judged).toMatchObject({ kind: 'patch', title: 'a.txt', facts: { holds: true, wantsOutside: false } });
    expect(stage.read('a.txt')).toBe('one\ntwo\n');
    const done = await stage.perform(judged);
    expect(done).toMatchObject({ success: true, output: 'Done.\nM a.txt', said: { success: true, files: ['a.txt'] } });
    expect(stage.read('a.txt')).toBe('one\nthree\n');
    // It is done once however often it is begun.
    expect((await stage.perform(judged)).success).toBe(true);
    expect(stage.read('a.txt')).toBe('one\nthree\n');
  });

  test('of a file that has changed since is not applied at all', async () => {
    stage.write('a.txt', 'one\n');
    const judged = await stage.deed('apply_patch', patch('*** Delete File: a.txt', '*** Add File: b.txt', '+b'));
    stage.write('a.txt', 'other\n');
    expect(await stage.perform(judged)).toMatchObject({
      success: false,
      output: expect.stringMatching(/^Nothing was changed/),
    });
    expect([stage.read('a.txt'), stage.read('b.txt')]).toEqual(['other\n', undefined]);
  });

  test('outside of the folder is for a person, who is told which file it is', async () => {
    const file = path.join(stage.beside, 'new.txt');
    const judged = await stage.deed('apply_patch', patch(`*** Add File: ${file}`, '+x'));
    expect(judged.facts).toMatchObject({
      wantsOutside: true,
      reason: `${file} is outside of the folder of the session`,
    });
    expect((await stage.perform(judged, { where: 'inside', hash: judged.hashes.inside })).success).toBe(false);
    expect(stage.read(file)).toBeUndefined();
    expect((await stage.perform(judged)).success).toBe(true);
    expect(stage.read(file)).toBe('x\n');
    stage.set({ writableRoots: [stage.beside] });
    const { facts } = await stage.deed('apply_patch', patch(`*** Delete File: ${file}`));
    expect(facts).toMatchObject({ wantsOutside: false, reason: null });
  });

  test('of what tells Baton what to run, or is of Baton, is for a person', async () => {
    const own = path.join(stage.home, 'config.json');
    stage.set({ writableRoots: [stage.root] });
    for (const file of ['baton.json', 'below/baton.json', own]) {
      const { facts } = await stage.deed('apply_patch', patch(`*** Add File: ${file}`, '+{}'));
      expect(facts.wantsOutside, file).toBe(true);
    }
  });

  test('that was called off is begun by nobody; what was done as a whole stays', async () => {
    const judged = await stage.deed('apply_patch', patch('*** Add File: made.txt', '+x'));
    await stage.settle(judged);
    expect(stage.read('made.txt')).toBeUndefined();
    await stage.perform(judged);
    await stage.settle(judged);
    expect(stage.read('made.txt')).toBe('x\n');
  });

  test('of control files of git, through a link, upwards or of nothing is refused in words', async () => {
    stage.write('.git/config', '[core]\n');
    symlinkSync(stage.beside, path.join(stage.cwd, 'link'));
    const tried = ['.git/config', '.git/hooks/x', 'link/x', '../beside/x'];
    for (const file of tried) {
      const words = await stage.answered('apply_patch', patch(`*** Add File: ${file}`, '+x'));
      expect(words, file).toMatch(/^Nothing was changed: /);
    }
    expect(await stage.answered('apply_patch', { input: 'no patch' })).toMatch(/^Nothing was changed: /);
  });

  test('in a session that may only read is for a person', async () => {
    stage.set({ mode: 'read-only' });
    const { facts } = await stage.deed('apply_patch', patch('*** Add File: a.txt', '+x'));
    expect(facts).toMatchObject({ wantsOutside: true, reason: 'the sandbox is read-only' });
  });
});

describe('an image', () => {
  test('is given as it is, by its content and not by its name', async () => {
    stage.write('shot.txt', PNG);
    const judged = await stage.call('view_image', { path: 'shot.txt' });
    if (judged.type !== 'answer') throw new Error('it would be done');
    expect(judged.output).toMatchObject({ image: true });
    expect(await stage.told(judged.output)).toBe(`data:image/png;base64,${PNG.toString('base64')}`);
    expect(await stage.answered('view_image', { path: path.join(stage.cwd, 'shot.txt') })).toMatch(/^data:image\/png/);
  });

  test.each([
    ['jpeg', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['gif', Buffer.from('GIF89a......')],
    ['webp', Buffer.from('RIFF....WEBPVP8 ')],
  ])('may be %s', async (type, bytes) => {
    stage.write('x', bytes);
    expect(await stage.answered('view_image', { path: 'x' })).toMatch(`data:image/${type};base64,`);
  });

  test('that is none, too large, elsewhere, linked or of Baton is not shown', async () => {
    stage.write('text.png', 'no image');
    stage.write('huge.png', Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]));
    stage.write(path.join(stage.beside, 'a.png'), PNG);
    symlinkSync(path.join(stage.beside, 'a.png'), path.join(stage.cwd, 'link.png'));
    symlinkSync(stage.beside, path.join(stage.cwd, 'folder'));
    const tried = ['text.png', 'huge.png', path.join(stage.beside, 'a.png'), '../beside/a.png', 'link.png'];
    for (const file of [...tried, 'folder/a.png', 'none.png', '.', '', '.git/a.png', '/etc/passwd']) {
      expect(await stage.answered('view_image', { path: file }), file).toMatch(/^Not shown: /);
    }
    stage.set({ writableRoots: [stage.root] });
    stage.write(path.join(stage.home, 'own.png'), PNG);
    expect(await stage.answered('view_image', { path: path.join(stage.home, 'own.png') })).toContain('of Baton itself');
    expect(await stage.answered('view_image', { path: path.join(stage.beside, 'a.png') })).toMatch(/^data:/);
  });
});
