import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 60_000;
const CANARY = 'c4nary-of-the-user';

const FREE = ['--sandbox', 'danger-full-access'];

type Rights = 'workspace-write' | 'danger-full-access';

/** A user with credentials and a cache of packages, whose setup is the script `setup.sh` of the repository. */
async function stageWith(script: string, rights: Rights = 'workspace-write'): Promise<JobStage> {
  const stage = new JobStage();
  stage.configure({ sandbox: { mode: 'bwrap', setup: rights } });
  const user = path.join(stage.folder, 'user');
  stage.extra = { HOME: user };
  mkdirSync(path.join(user, '.npm'), { recursive: true });
  writeFileSync(path.join(user, '.npmrc'), CANARY);
  writeFileSync(path.join(stage.home, 'token'), CANARY, { mode: 0o600 });
  await stage.scripted('agent', [{ answer: ANSWERS.completed }]);
  stage.write('setup.sh', script);
  stage.write('.gitignore', 'node_modules\n');
  stage.commit('setup');
  return stage;
}

const run = (stage: JobStage, id: string, ...more: string[]) =>
  stage.cli('run', 'Work', '--id', id, '--agent', 'agent', '--supervisor', 'none', '--setup', 'bash setup.sh', ...more);

function made(stage: JobStage, id: string, file = 'node_modules/said'): string {
  return readFileSync(path.join(stage.home, 'jobs', id, 'workspace', file), 'utf8');
}

/** Tells what is in the cache of npm, and adds to it. */
const KEEPS =
  'mkdir -p node_modules $npm_config_cache && cat $npm_config_cache/* > node_modules/said; echo $BATON_RUN >> $npm_config_cache/kept';

async function listening(): Promise<number> {
  const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

/** Asks the proxy for hosts and writes down the status of each answer. */
const CONNECT = `
const net = require('node:net');
const { hostname, port } = new URL(process.env.HTTPS_PROXY);
const ask = (target) => new Promise((resolve) => {
  const socket = net.connect(port, hostname, () => socket.write('CONNECT ' + target + ' HTTP/1.1\\r\\n\\r\\n'));
  socket.once('data', (data) => { socket.destroy(); resolve(target + ' ' + data.toString().split(' ')[1]); });
  socket.once('error', (problem) => resolve(target + ' ' + problem.code));
});
Promise.all(process.argv.slice(2).map(ask)).then((all) => console.log(all.join('\\n')));
`;

async function stageThatAsks(script: string): Promise<JobStage> {
  const stage = await stageWith(script);
  stage.write('connect.cjs', CONNECT);
  stage.commit('connect');
  return stage;
}

/** What a setup must not be able to do; each says so when it could. */
const ACTS: readonly [name: string, act: (stage: JobStage, port: number) => string][] = [
  ['reads the settings of npm', ({ folder }) => `grep -q ${CANARY} ${folder}/user/.npmrc`],
  ['reads what lies in its home', () => `grep -q ${CANARY} ~/.npmrc`],
  ['reads what is Baton’s', ({ home }) => `grep -q ${CANARY} ${home}/token`],
  ['sees the store', ({ home }) => `ls ${home}/baton.db`],
  ['reaches this machine', (_, port) => `exec 3<>/dev/tcp/127.0.0.1/${port}`],
];

/** Where it must not be able to write, as seen from outside. */
const PLACES: readonly [name: string, file: (stage: JobStage) => string][] = [
  ['writes to what is Baton’s', ({ home }) => `${home}/planted`],
  ['poisons a cache of the user', ({ folder }) => `${folder}/user/.npm/planted`],
  ['writes to the repository', ({ repo }) => `${repo}/.git/planted`],
  ['writes beside it', ({ folder }) => `${folder}/planted`],
  ['plants a hook', ({ home }) => `${home}/jobs/j/workspace/.git/hooks/planted`],
];

async function tryAll(rights: Rights): Promise<{ did: string[]; stage: JobStage }> {
  const port = await listening();
  const stage = await stageWith('', rights);
  const tries = ACTS.map(([name, act]) => `if (${act(stage, port)}) >/dev/null 2>&1; then echo "${name}" >> $SAID; fi`);
  const writes = PLACES.map(([, file]) => `(mkdir -p $(dirname ${file(stage)}); echo x > ${file(stage)}) 2>/dev/null`);
  const begin = 'mkdir -p node_modules; SAID=$PWD/node_modules/said; : > $SAID';
  stage.write('setup.sh', [begin, ...tries, ...writes, 'true'].join('\n'));
  stage.commit('tries');
  await run(stage, 'j');
  const said = made(stage, 'j').split('\n').filter(Boolean);
  const planted = PLACES.filter(([, file]) => existsSync(file(stage))).map(([name]) => name);
  return { did: [...said, ...planted], stage };
}

describe('a setup command in the sandbox', { timeout: LONG_MS }, () => {
  test('reaches neither what is Baton’s, nor what is the user’s, nor the network', async () => {
    expect((await tryAll('workspace-write')).did).toEqual([]);
  });

  test('does all of that when the user gives it their rights, and that is said', async () => {
    const { did, stage } = await tryAll('danger-full-access');
    expect(did).toEqual([...ACTS, ...PLACES].map(([name]) => name));
    expect((await stage.ok('events', '--run', 'j')).out).toContain('setupSandbox=danger-full-access sandbox=bwrap');
    stage.terminal = true;
    expect((await run(stage, 'k')).err).toContain(
      'sandbox on (bwrap), but with your rights: setup · network for setup only',
    );
    await stage.ok('agent', 'register', 'agent', '--adapter', 'command', '--command', 'true', ...FREE);
    await stage.ok('agent', 'register', 'somebody', '--adapter', 'command', '--command', 'true', ...FREE);
    expect((await run(stage, 'l')).err).toContain('with your rights: agent, setup ·');
  });

  test('is named with its mode in the head of the run and in the log', async () => {
    const stage = await stageWith('true');
    stage.terminal = true;
    const { err } = await run(stage, 'j', '--net', 'named.invalid');
    expect(err).toContain('sandbox on (bwrap): agents, setup, checks · network: named.invalid; for checks none');
    expect((await stage.ok('events', '--run', 'j')).out).toContain('setupSandbox=bwrap sandbox=bwrap');
  });

  test('finds the packages of earlier jobs of its repository, and nobody else does', async () => {
    const stage = await stageWith(KEEPS);
    await run(stage, 'one');
    await run(stage, 'two');
    expect([made(stage, 'one'), made(stage, 'two')]).toEqual(['', 'one\n']);
    expect(existsSync(path.join(stage.folder, 'user/.npm/kept'))).toBe(false);
    stage.git('clone', '--quiet', '.', '../other');
    await run(stage, 'other', '--repo', path.join(stage.folder, 'other'));
    expect(made(stage, 'other'), 'another repository').toBe('');
    await stage.ok('job', 'fork', 'two', '--id', 'fork');
    await stage.cli('job', 'run', 'fork');
    expect(made(stage, 'fork'), 'an agent wrote the files of this one').toBe('');
    await run(stage, 'three');
    expect(made(stage, 'three'), 'and leaves nothing for others').toBe('one\ntwo\n');
  });

  test('that is run again on the work of an agent shares nothing with later jobs', async () => {
    const stage = await stageWith(KEEPS);
    await stage.scripted('agent', [{ answer: ANSWERS.stuck }, { answer: ANSWERS.completed }]);
    await run(stage, 'one');
    rmSync(path.join(stage.home, 'jobs/one/workspace'), { recursive: true });
    for (const _ of ['finds out that it is gone', 'makes it again']) {
      await stage.ok('job', 'resubmit', 'one', '--guidance', 'go on');
      await stage.cli('job', 'run', 'one');
    }
    expect(made(stage, 'one')).toBe('');
    await run(stage, 'two');
    expect(made(stage, 'two')).toBe('one\n');
  });

  test('has the packages of the twenty repositories that were worked on last', async () => {
    const stage = await stageWith('true');
    const all = path.join(stage.home, 'cache/packages');
    for (let day = 1; day <= 20; day += 1) {
      mkdirSync(path.join(all, `of-day-${day}`), { recursive: true });
      utimesSync(path.join(all, `of-day-${day}`), day * 86_400, day * 86_400);
    }
    await run(stage, 'j');
    const left = readdirSync(all);
    expect([left.length, left.includes('of-day-1'), left.includes('of-day-2')]).toEqual([20, false, true]);
  });

  test('leaves what it made for later jobs, unless it may reach other hosts', async () => {
    const stage = await stageWith('mkdir -p node_modules && echo $BATON_RUN > node_modules/said');
    stage.write('package-lock.json', '1');
    stage.commit('lockfile');
    await run(stage, 'one');
    await run(stage, 'two');
    await run(stage, 'three', '--net', 'named.invalid');
    expect(['one', 'two', 'three'].map((id) => made(stage, id))).toEqual(['one\n', 'one\n', 'three\n']);
  });

  test('leaves nothing half-made by one that was killed, and minds no folder that is gone when it looks', async () => {
    const stage = await stageWith('mkdir -p node_modules && echo $BATON_RUN > node_modules/said');
    stage.write('package-lock.json', '1');
    stage.commit('lockfile');
    await run(stage, 'one');
    const all = path.join(stage.home, 'cache/setup');
    const [key = ''] = readdirSync(all);
    writeFileSync(path.join(all, key, 'node_modules/half'), '');
    renameSync(path.join(all, key), path.join(all, `${key}.${process.pid}.tmp`));
    symlinkSync('nowhere', path.join(all, 'gone'));
    symlinkSync('nowhere', path.join(stage.home, 'cache/packages/gone'));
    await run(stage, 'two');
    await run(stage, 'three');
    expect(made(stage, 'three')).toBe('two\n');
    expect(existsSync(path.join(stage.home, 'jobs/three/workspace/node_modules/half'))).toBe(false);
  });

  test('leaves nothing for later jobs when an agent wrote the files it ran on', async () => {
    const stage = await stageWith('mkdir -p node_modules && echo $BATON_RUN > node_modules/said');
    stage.write('package-lock.json', '1');
    stage.commit('lockfile');
    await stage.shell(
      'locker',
      `printf 1 > package-lock.json\necho '${JSON.stringify({ ...ANSWERS.completed, evidence_files: ['package-lock.json'] })}'`,
    );
    await stage.ok(
      'run',
      'Work',
      '--id',
      'locked',
      '--agent',
      'locker',
      '--supervisor',
      'none',
      '--base',
      'HEAD~1',
      '--setup',
      'bash setup.sh',
    );
    await stage.ok('job', 'fork', 'locked', '--id', 'fork');
    await stage.cli('job', 'run', 'fork');
    expect(made(stage, 'fork')).toBe('fork\n');
    await run(stage, 'later');
    expect(made(stage, 'later')).toBe('later\n');
  });

  test('that asked for a host in vain says which, and how to allow it', async () => {
    const stage = await stageThatAsks('node connect.cjs registry.invalid:443 files.invalid:8443; exit 3');
    const { err } = await run(stage, 'j');
    expect(err).toContain('It may reach public hosts alone, and asked for files.invalid:8443.');
    expect(err).toContain('Begin the job anew with --net files.invalid:8443, or name it under network in baton.json.');
  });

  test('gets out to public hosts; on what an agent wrote, only to those that are named', async () => {
    const stage = await stageThatAsks(
      'mkdir node_modules; node connect.cjs named.invalid:443 other.invalid:443 10.0.0.1:443 > node_modules/said',
    );
    const { err } = await run(stage, 'j', '--net', 'named.invalid');
    expect(made(stage, 'j')).toMatch(/^named\.invalid:443 50\d\nother\.invalid:443 50\d\n10\.0\.0\.1:443 403\n$/);
    expect(err).toContain('Setup asked for 10.0.0.1, which it may not reach.');
    await stage.ok('job', 'fork', 'j', '--id', 'fork');
    const fork = await stage.cli('job', 'run', 'fork');
    expect(made(stage, 'fork')).toMatch(/^named\.invalid:443 50\d\nother\.invalid:443 403\n10\.0\.0\.1:443 403\n$/);
    expect(fork.err).toContain('Setup asked for other.invalid, 10.0.0.1, which it may not reach.');
  });

  test.each([
    [
      'does not know the proxy',
      "node -e \"require('dns').lookup('registry.invalid', (e) => { throw e; })\"",
      'It may reach public hosts alone, through HTTPS_PROXY. What does not use that needs your rights: baton config set',
    ],
    [
      'fails of itself',
      'exit 3',
      'It ran inside the sandbox: without your home, and with public hosts alone to reach. Look at its output, mend it, then resubmit.',
    ],
  ])('that %s says what it could not have', async (_, script, said) => {
    const { err } = await run(await stageWith(script), 'j');
    expect(err).toContain(said);
  });

  test('that names a host of this machine says that only the user’s rights reach it', async () => {
    const stage = await stageThatAsks('node connect.cjs localhost:443; exit 3');
    const { err } = await run(stage, 'j', '--net', 'localhost');
    expect(err).toContain('localhost leads to this machine or its network');
    expect(err).toContain('baton config set sandbox.setup danger-full-access');
  });
});

describe('a check in the sandbox', { timeout: LONG_MS }, () => {
  test('can start a server and reach it', async () => {
    const stage = await stageWith('true');
    stage.write(
      'serve.mjs',
      `
      import http from 'node:http';
      const server = http.createServer((_, response) => response.end('served')).listen(0, '127.0.0.1', async () => {
        const answer = await fetch('http://127.0.0.1:' + server.address().port);
        process.exit((await answer.text()) === 'served' ? 0 : 1);
      });`,
    );
    stage.commit('a test with a server');
    expect(await run(stage, 'j', '--check', 'node serve.mjs')).toMatchObject({ code: 0 });
  });

  test('reaches no host, also not one that its job may reach', async () => {
    const stage = await stageThatAsks('true');
    stage.write(
      'closed.sh',
      '[ -z "$HTTPS_PROXY" ] && ! node -e "require(\'net\').connect(3128, \'127.0.0.1\')" 2>/dev/null\n',
    );
    stage.commit('a test of the network');
    expect(await run(stage, 'j', '--net', 'named.invalid', '--check', 'sh closed.sh')).toMatchObject({ code: 0 });
  });

  test('finds the packages that setup left to be used in place, as agents do, and cannot change them', async () => {
    const stage = await stageWith(
      'mkdir -p node_modules $CARGO_HOME && touch node_modules/made && echo crate > $CARGO_HOME/one',
    );
    stage.write('Cargo.lock', '1');
    stage.commit('lockfile');
    const uses = 'grep -q crate $CARGO_HOME/one && ! echo x 2>/dev/null > $CARGO_HOME/one';
    await stage.shell('agent', `(${uses}) && ${prints(ANSWERS.completed)}`);
    expect(await run(stage, 'j', '--check', `sh -c '${uses}'`)).toMatchObject({ code: 0 });
    const again = await run(stage, 'k', '--check', `sh -c '${uses}'`);
    expect([again.code, again.err]).toEqual([0, expect.stringContaining('taken from an earlier job')]);
  });
});
