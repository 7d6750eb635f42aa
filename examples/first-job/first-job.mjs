// The main job, end to end: a small repository with a failing test is handed to a worker, proven, reviewed and landed.
// Needs git and nothing else: no key, no server. Exits 1 when the result is not what it must be.
// With `--open` a second job waits for a person, and the console is opened on both; it stays until Ctrl-C.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = path.dirname(fileURLToPath(import.meta.url));
const BATON = path.join(HERE, '../../bin/baton.cjs');
const folder = mkdtempSync(path.join(tmpdir(), 'baton-first-job-'));
const repo = path.join(folder, 'shop');
const env = { ...process.env, BATON_HOME: path.join(folder, 'home') };

const git = (...args) => execFileSync('git', args, { cwd: repo, encoding: 'utf8' }).trim();
const WAITS_FOR_A_PERSON = 3;
const baton = (...args) => {
  console.log(`$ baton ${args.map((word) => (/\s/.test(word) ? JSON.stringify(word) : word)).join(' ')}`);
  try {
    execFileSync(process.execPath, [BATON, ...args], { cwd: repo, env, stdio: ['ignore', 'inherit', 'inherit'] });
  } catch (failure) {
    if (failure.status !== WAITS_FOR_A_PERSON) throw failure;
  }
  console.log('');
};
const agent = (name) => `${process.execPath} ${path.join(HERE, `${name}.mjs`)}`;

cpSync(path.join(HERE, 'shop'), repo, { recursive: true });
git('init', '--quiet', '--initial-branch=main');
git('add', '--all');
git('-c', 'user.name=anna', '-c', 'user.email=anna@example.com', 'commit', '--quiet', '--message=A shop');
const before = git('rev-parse', 'main');

baton('agent', 'register', 'worker', '--adapter', 'command', '--command', agent('worker'));
baton('agent', 'register', 'supervisor', '--adapter', 'command', '--command', agent('supervisor'));
baton(
  ...['run', 'Prices must include 19 % tax', '--id', 'first-job', '--agent', 'worker', '--supervisor', 'supervisor'],
  ...['--check', 'node test/price.test.js', '--protect', 'test/**'],
);
baton('job', 'show', 'first-job');
baton('job', 'land', 'first-job');
baton('audit', 'verify');

const after = git('rev-parse', 'main');
execFileSync(process.execPath, ['test/price.test.js'], { cwd: repo });
if (after === before || !readFileSync(path.join(repo, 'price.js'), 'utf8').includes('Math.round')) {
  console.error('the work did not land');
  process.exit(1);
}
console.log(`main went from ${before.slice(0, 7)} to ${after.slice(0, 7)}; its test passes.`);
console.log(`repository  ${repo}`);
console.log(`everything  ${env.BATON_HOME}   (BATON_HOME=… ./baton events --run first-job)`);

if (process.argv.includes('--open')) {
  baton('agent', 'register', 'writer', '--adapter', 'command', '--command', agent('writer'));
  baton('run', 'Say in a README what the shop does', '--id', 'second-job', '--agent', 'writer', '--approve');
  const server = spawn(process.execPath, [BATON, 'serve', '--port', '0', '--json', '--log-level', 'warn'], {
    cwd: repo,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve, reject) => {
    server.stdout.once('data', resolve);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill());
  baton('console');
  console.log('first-job has landed; second-job waits for you in the inbox. Ctrl-C ends the server.');
  await new Promise((resolve) => server.once('exit', resolve));
}
