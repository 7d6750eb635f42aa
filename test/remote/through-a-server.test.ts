import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ANSWERS, JobStage, prints } from '../jobs/job-stage.js';
import { ServerProcess } from '../server/server-process.js';

const LONG_MS = 180_000;
type Way = 'here' | 'own server' | 'BATON_URL';

/** A stage whose command line works without a server, through the one of its home, or through a named one. */
async function stageOf(way: Way): Promise<JobStage> {
  const stage = new JobStage();
  if (way === 'here') return stage;
  const server = new ServerProcess(stage.home, { env: { USER: 'anna' } });
  onTestFinished(() => server.stop());
  await server.start();
  if (way === 'own server') return stage;
  const { printed } = await stage.json('token', 'create', '--role', 'admin', '--name', 'anna');
  stage.extra = {
    BATON_URL: `${server.url}/`,
    BATON_TOKEN: String(printed.token),
    BATON_HOME: path.join(stage.folder, 'x'),
  };
  return stage;
}

const COMMANDS: readonly (readonly string[])[] = [
  [
    'job',
    'create',
    'fix it',
    '--id',
    'shop-1',
    '--agent',
    'worker',
    '--supervisor',
    'judge',
    '--max-cost',
    '2',
    '--approve',
  ],
  ['job', 'show', 'shop-1'],
  ['job', 'activate', 'shop-1'],
  ['job', 'run', 'shop-1'],
  ['inbox'],
  ['inbox', '1'],
  ['answer', '1', '--deny', '--guidance', 'write it down'],
  ['job', 'run', 'sho'],
  ['job', 'diff', 'LAST'],
  ['answer', '2', '--approve'],
  ['answer', '2', '--approve'],
  ['job', 'run', 'shop-1'],
  ['job', 'show', 'shop-1'],
  ['job', 'list'],
  ['job', 'metrics', 'shop-1'],
  ['job', 'manifest', 'shop-1'],
  ['job', 'history', 'shop-1'],
  ['job', 'log', 'shop-1'],
  ['job', 'land', 'shop-1'],
  ['job', 'cancel', 'shop-1'],
  ['job', 'show', 'nothing'],
  ['job', 'run', 'nothing'],
  ['job', 'create', 'by hand', '--id', 'h1', '--agent', 'human', '--activate'],
  ['job', 'run', 'h1'],
  ['job', 'poststep', 'h1', '--role', 'Worker', '--response-file', 'ANSWER', '--dry-run'],
  ['job', 'poststep', 'h1', '--role', 'Worker', '--response-file', 'ANSWER'],
  ['job', 'fork', 'd0'],
  ['job', 'create', 'ended', '--id', 'e1', '--agent', 'worker'],
  ['job', 'cancel', 'e1'],
  ['job', 'raise', 'e1', '--max-cost', '9'],
  ['job', 'create', 'x', '--agent', 'nobody-of-that-name'],
  ['job', 'create', 'draft', '--id', 'd1', '--agent', 'worker'],
  ['job', 'run', 'd1'],
  ['job', 'tell', 'd1', 'be brief'],
  ['rule', 'add', 'allow', 'npm test'],
  ['rule', 'list'],
  ['rule', 'test', 'npm test --silent'],
  ['rule', 'rm', '1'],
  ['rule', 'rm', '1'],
  ['agent', 'list'],
  ['agent', 'show', 'worker'],
  ['token', 'create', '--role', 'viewer', '--name', 'screen'],
  ['token', 'revoke', 'screen'],
  ['token', 'revoke', 'screen'],
  ['runs', '--kind', 'job'],
  ['runs', '--search', 'draft'],
  ['events', '--run', 'shop-1', '--limit', '4'],
  ['budget', 'set', '20', '--project', 'shop'],
  ['budget', 'list'],
  ['budget', 'set', 'none', '--project', 'shop'],
  ['cost', '--by', 'model', '--since', '7d'],
  ['status'],
];

/** Who drives is somebody else there: how far it is when it is told may differ. */
const DRIVING: ReadonlySet<string> = new Set(['activate', 'answer', 'run', 'poststep', 'land']);

/** What was said, without what differs from one minute and one folder to another. */
async function tell(way: Way, json: boolean): Promise<unknown[]> {
  const stage = await stageOf(way);
  const answered = { ...ANSWERS.completed, evidence_files: ['note.txt'] };
  await stage.shell('worker', `echo done >> note.txt; ${prints(answered)}`);
  await stage.scripted('judge', [{ answer: ANSWERS.completed }]);
  const answer = path.join(stage.folder, 'answer.json');
  writeFileSync(answer, JSON.stringify(ANSWERS.completed));
  const told: unknown[] = [];
  for (const words of COMMANDS) {
    const argv = words.map((word) => (word === 'ANSWER' ? answer : word));
    const { code, out, err } = await stage.cli(...argv, ...(json ? ['--json'] : []));
    const said = words.some((word) => DRIVING.has(word)) ? out : `${out}${err}`;
    told.push([words.join(' '), code, plain(said, stage)]);
  }
  return told;
}

function plain(text: string, { folder }: JobStage): string {
  return text
    .replaceAll(folder, 'FOLDER')
    .replaceAll(path.basename(folder), 'FOLDER')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b(atMs|deadlineMs)"?[=:]\d+/g, 'MS')
    .replace(/\b[0-9a-f]{64}\b|\b[0-9a-f]{40}\b/g, 'HASH')
    .replace(/\b(head|from) [0-9a-f]{7}\b/g, '$1 HASH')
    .replace(/\bbaton_[\w-]{43}\b/g, 'TOKEN')
    .replace(/"(epoch|version|position|\w*seconds|duration_ms|ms|setupMs)": ?[\d.]+/g, '"$1":0')
    .replace(/"owner":("[^"]*"|null)/g, '"owner":null')
    .replace(/position=\d+|--after \d+|"next":"\d+"/g, 'POSITION')
    .replace(/[+-]?\b\d+(\.\d+)? ?(ms|s|m)\b|\bnow\b/g, 'AGE')
    .replace(/ +/g, ' ');
}

for (const json of [true, false]) {
  const form = json ? '--json' : 'for people';
  test(`every command says through a server what it says without one (${form})`, { timeout: LONG_MS }, async () => {
    const here = await tell('here', json);
    expect(await tell('own server', json)).toEqual(here);
    expect(await tell('BATON_URL', json)).toEqual(here);
  });
}

test('who watches a run at a server that is killed and comes back sees it through', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  const server = new ServerProcess(stage.home);
  onTestFinished(() => server.stop());
  await server.start();
  await stage.shell(
    'slow',
    `[ -f ${stage.folder}/go ] || { touch ${stage.folder}/asked; sleep 600; }; ${prints(ANSWERS.completed)}`,
  );
  const running = stage.json('run', 'wait', '--id', 'w1', '--agent', 'slow', '--supervisor', 'none');
  await stage.until('asked');
  await server.kill();
  stage.touch('go');
  await server.start();
  expect(await running).toMatchObject({ exit: 0, printed: { job_id: 'w1', status: 'SUCCESS' } });
  expect((await stage.json('job', 'fork', 'w1', '--id', 'w2')).printed).toMatchObject({ job_id: 'w2' });
  expect((await stage.json('job', 'run', 'w2')).printed).toMatchObject({ status: 'SUCCESS' });
});

test('a program that took the port of a dead server is not told the token', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  await stage.ok('runs');
  const heard: string[] = [];
  const other = createServer((request, response) => {
    heard.push(`${request.url} ${request.headers.authorization ?? ''}`);
    response.end(JSON.stringify({ ok: true, proof: 'a'.repeat(64) }));
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  writeFileSync(path.join(stage.home, 'server.json'), JSON.stringify({ pid: process.pid, url, started_at: '' }));
  expect(await stage.json('runs')).toMatchObject({ exit: 0, printed: { items: [] } });
  expect((await stage.json('console')).printed).toMatchObject({ code: 'SERVER_UNREACHABLE' });
  expect(heard.length).toBeGreaterThan(1);
  for (const one of heard) expect(one).toMatch(/^\/healthz\?challenge=[0-9a-f]{32} $/);
});

test('an address that cannot be used is said before anything is sent', async () => {
  const stage = new JobStage();
  const said = async (extra: Record<string, string>, ...words: string[]) => {
    stage.extra = extra;
    return (await stage.json(...words)).printed;
  };
  const token = { BATON_TOKEN: 'x' };
  expect(await said({ BATON_URL: 'http://127.0.0.1:2' }, 'runs')).toMatchObject({ code: 'USAGE' });
  expect(await said({ BATON_URL: 'nowhere', ...token }, 'runs')).toMatchObject({ code: 'USAGE' });
  expect(await said({ BATON_URL: 'http://192.0.2.1', ...token }, 'runs')).toMatchObject({ code: 'USAGE' });
  expect(await said({ BATON_URL: 'http://127.0.0.1:2', ...token }, 'store', 'stats')).toMatchObject({ code: 'USAGE' });
  expect(await said({ BATON_URL: 'http://127.0.0.1:2', ...token }, 'runs')).toMatchObject({
    code: 'SERVER_UNREACHABLE',
    reason: expect.stringContaining('ECONNREFUSED'),
  });
});
