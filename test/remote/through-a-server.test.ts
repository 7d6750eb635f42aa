import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ANSWERS, JobStage, prints } from '../jobs/job-stage.js';
import { planOf, resultOf } from '../server/plan-of.js';
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

const RUN = '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4';
const OTHER = '9a1e7c55-0b7f-4a55-8d1c-6f3f0d6f2b11';

/** Files of the stage are named in capitals. */
const OPERATOR_COMMANDS: readonly (readonly string[])[] = [
  ['operator', 'init', 'PLAN'],
  ['operator', 'init', 'PLAN'],
  ['operator', 'init', 'NO_PLAN'],
  ['operator', 'init', 'PLAN', '--agent', 'nobody-of-that-name'],
  ['operator', 'ledger', RUN],
  ['operator', 'locks', RUN],
  ['operator', 'claim', RUN, '--owner', 'eva'],
  ['operator', 'locks', RUN],
  ['operator', 'ledger', '3f56'],
  ['operator', 'heartbeat', RUN, 'T-1', '--epoch', '1'],
  ['operator', 'heartbeat', RUN, 'T-1', '--epoch', '2'],
  ['operator', 'heartbeat', RUN, 'T-1', '--epoch', '1', '--at', '2999-01-01T00:00:00Z'],
  ['operator', 'heartbeat', RUN, 'T-1', '--epoch', '1', '--at', 'soon'],
  ['operator', 'heartbeat', RUN, 'T-9'],
  ['operator', 'result', RUN, 'RESULT_1'],
  ['operator', 'result', RUN, 'RESULT_1', '--epoch', '1'],
  ['operator', 'result', RUN, 'RESULT_1', '--epoch', '1'],
  ['operator', 'assign', RUN, 'T-2', '--owner', 'eva'],
  ['operator', 'assign', RUN, 'T-2', '--owner', 'eva'],
  ['operator', 'result', RUN, 'RESULT_2'],
  ['operator', 'delta', RUN, 'DELTA'],
  ['operator', 'delta', RUN, 'DELTA'],
  ['operator', 'delta', RUN, 'STALE'],
  ['operator', 'delta', RUN, 'NO_PLAN'],
  ['operator', 'tick', RUN],
  ['operator', 'reconcile', RUN],
  ['operator', 'handoff', RUN],
  ['operator', 'worklog', RUN],
  ['operator', 'worklog', RUN, 'T-1'],
  ['operator', 'worklog', RUN, 'T-9'],
  ['operator', 'ledger', 'nothing'],
  ['operator', 'run', RUN, '--agent', 'nobody-of-that-name'],
  ['operator', 'run', RUN, '--agent', 'writer', '--concurrency', '2'],
  ['operator', 'run', 'PLAN', '--agent', 'writer'],
  ['operator', 'ledger', RUN],
  ['operator', 'run', 'OTHER_PLAN', '--agent', 'writer', '--repo', '.', '--concurrency', '1'],
  ['operator', 'ledger', OTHER.slice(0, 8)],
  ['operator', 'ledger', 'LAST'],
  ['operator', 'worklog', OTHER],
  ['operator', 'worklog', OTHER, 'T-1', '--log'],
  ['operator', 'worklog', OTHER, 'T-9', '--log'],
  ['operator', 'plan', OTHER],
  ['operator', 'plan', 'Write more', '--planner', 'nobody-of-that-name'],
  ['runs', '--kind', 'ledger'],
];

/** A worker that does whatever task of such a plan it is asked for. */
const WRITES = `
const packet = JSON.parse(process.argv[1]);
const { task_id, lock_scope, acceptance_criteria, worklog_path } = packet.task;
require('node:fs').writeFileSync(lock_scope[0], task_id);
console.log(JSON.stringify({
  schema_version: '1.0.0', run_id: packet.run_id, task_id, status: 'done',
  changes: [{ resource: lock_scope[0], action: 'created' }],
  acceptance_check: acceptance_criteria.map((criterion) => ({ criterion, status: 'pass', evidence: 'ls' })),
  worklog_path, notes_for_orchestrator: [],
}));
`;

async function setOperator(stage: JobStage): Promise<Record<string, string>> {
  const script = path.join(stage.folder, 'writes.cjs');
  writeFileSync(script, WRITES.replaceAll('process.argv[1]', 'process.argv[2]'));
  await stage.shell('writer', `echo I write. >&2; exec ${process.execPath} ${script} "$REQUEST"`);
  await stage.scripted('other', []);
  const delta = { task_id: 'T-3', status: 'canceled', owner: 'eva', reason: 'not needed', delta_id: 'd1' };
  const files = {
    PLAN: { ...planOf(4), run_id: RUN },
    OTHER_PLAN: { ...planOf(2), run_id: OTHER },
    NO_PLAN: { schema_version: '1.0.0', tasks: [] },
    RESULT_1: resultOf(RUN, 1),
    RESULT_2: resultOf(RUN, 2),
    DELTA: [delta],
    STALE: { ...delta, delta_id: 'd2', x_base_version: 1 },
  };
  const names = Object.entries(files).map(([name, value]) => {
    const file = path.join(stage.folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(value));
    return [name, file];
  });
  return Object.fromEntries(names);
}

/** Who drives is somebody else there: how far it is when it is told may differ. */
const DRIVING: ReadonlySet<string> = new Set(['activate', 'answer', 'run', 'poststep', 'land']);

/** The same, and it is told at once: of what they print in JSON only the form can be compared. */
const BEGINNING: ReadonlySet<string> = new Set(['activate', 'answer', 'poststep']);

/** What was said, without what differs from one minute and one folder to another. */
async function tell(way: Way, json: boolean): Promise<unknown[]> {
  const stage = await stageOf(way);
  return told(stage, COMMANDS, await setJobs(stage), json);
}

async function setJobs(stage: JobStage): Promise<Record<string, string>> {
  const answered = { ...ANSWERS.completed, evidence_files: ['note.txt'] };
  await stage.shell('worker', `echo done >> note.txt; ${prints(answered)}`);
  await stage.scripted('judge', [{ answer: ANSWERS.completed }]);
  const answer = path.join(stage.folder, 'answer.json');
  writeFileSync(answer, JSON.stringify(ANSWERS.completed));
  return { ANSWER: answer };
}

async function told(
  stage: JobStage,
  commands: readonly (readonly string[])[],
  files: Readonly<Record<string, string>>,
  json: boolean,
): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const words of commands) {
    const argv = words.map((word) => files[word] ?? word);
    const { code, out, err } = await stage.cli(...argv, ...(json ? ['--json'] : []));
    const said = words.some((word) => DRIVING.has(word)) ? out : `${out}${err}`;
    const moves = json && code === 0 && words.some((word) => BEGINNING.has(word));
    all.push([words.join(' '), code, moves ? Object.keys(JSON.parse(out)) : plain(said, stage)]);
  }
  return all;
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
    .replace(/#+>?/g, 'BAR')
    .replace(/\b\d\d:\d\d:\d\d\b/g, 'CLOCK')
    .replace(/ +/g, ' ')
    .replace(/^ 0( \d+)* AGE$/gm, 'AXIS');
}

for (const json of [true, false]) {
  const form = json ? '--json' : 'for people';
  test(`every command says through a server what it says without one (${form})`, { timeout: LONG_MS }, async () => {
    const here = await tell('here', json);
    expect(await tell('own server', json)).toEqual(here);
    expect(await tell('BATON_URL', json)).toEqual(here);
  });
}

for (const json of [true, false]) {
  const form = json ? '--json' : 'for people';
  test(`every operator command says through a server what it says without one (${form})`, {
    timeout: LONG_MS,
  }, async () => {
    const tellOperator = async (way: Way) => {
      const stage = await stageOf(way);
      return told(stage, OPERATOR_COMMANDS, await setOperator(stage), json);
    };
    const here = await tellOperator('here');
    expect(await tellOperator('own server')).toEqual(here);
    expect(await tellOperator('BATON_URL')).toEqual(here);
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
