import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage } from './job-stage.js';

const LONG_MS = 180_000;
const OUTSIDE = { ...ANSWERS.completed, evidence_files: ['../outside.txt'] };
const ABSENT = { ...ANSWERS.completed, evidence_files: ['absent.txt'] };
const DONE = { answer: ANSWERS.completed };

type Row = [
  what: string,
  script: readonly object[],
  options: readonly string[],
  exit: number,
  status: string,
  reason: RegExp | null,
  actions: readonly string[],
];

/** The error escalation matrix, row by row, through the real program. */
const ROWS: readonly Row[] = [
  ['text that is no JSON', [{ fail: 'garbage' }], [], 3, 'INTERVENTION_REQUIRED', /JSON/, ['ERROR STUCK']],
  [
    'an unknown action',
    [{ answer: { ...ANSWERS.completed, action: 'DONE' } }],
    [],
    3,
    'INTERVENTION_REQUIRED',
    /action/,
    ['ERROR STUCK'],
  ],
  [
    'a blank summary',
    [{ answer: { ...ANSWERS.completed, summary_for_supervisor: ' ' } }],
    [],
    3,
    'INTERVENTION_REQUIRED',
    /summary/,
    ['ERROR STUCK'],
  ],
  ['evidence outside the workspace', [{ answer: OUTSIDE }], [], 3, 'INTERVENTION_REQUIRED', /outside/, ['ERROR STUCK']],
  [
    'absent evidence, strict',
    [{ answer: ABSENT, times: 1 }, DONE],
    [],
    0,
    'SUCCESS',
    null,
    ['SUCCESS RETRY', 'SUCCESS COMPLETED'],
  ],
  ['absent evidence, warn', [{ answer: ABSENT }], ['--verify', 'warn'], 0, 'SUCCESS', null, ['SUCCESS COMPLETED']],
  [
    'a handoff that takes too long',
    [{ fail: 'timeout' }],
    ['--timeout-seconds', '1'],
    3,
    'INTERVENTION_REQUIRED',
    /in time/,
    ['TIMEOUT STUCK'],
  ],
  [
    'a network that comes back',
    [{ fail: 'network', times: 2 }, DONE],
    [],
    0,
    'SUCCESS',
    null,
    ['ERROR RETRY', 'ERROR RETRY', 'SUCCESS COMPLETED'],
  ],
  ['a crash, twice', [{ fail: 'exit' }], [], 3, 'INTERVENTION_REQUIRED', /crashed/, ['ERROR RETRY', 'ERROR STUCK']],
  [
    'a refused key',
    [{ fail: 'auth' }],
    [],
    3,
    'INTERVENTION_REQUIRED',
    /the login of the agent does not work/,
    ['ERROR STUCK'],
  ],
  ['an agent that is not there', [], ['--agent', 'nobody'], 3, 'INTERVENTION_REQUIRED', /not found/, ['ERROR STUCK']],
  ['an agent that says STUCK', [{ answer: ANSWERS.stuck }], [], 3, 'INTERVENTION_REQUIRED', /STUCK/, ['SUCCESS STUCK']],
];

describe('the escalation matrix', { timeout: LONG_MS }, () => {
  test.each(ROWS)('%s', async (_, script, options, exit, status, reason, actions) => {
    const stage = new JobStage();
    await stage.scripted('agent', script);
    await stage.ok('agent', 'register', 'nobody', '--adapter', 'command', '--command', '/no/such/program');
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', ...options);
    expect([run.exit, run.printed.status]).toEqual([exit, status]);
    if (reason) expect(run.printed.reason).toMatch(reason);
    const history = await stage.history('j');
    expect(history.map(({ response }) => `${response.status} ${response.action}`)).toEqual(actions);
    expect(history.map(({ sequence }) => sequence)).toEqual(history.map((_entry, index) => index));
  });
});

describe('limits', { timeout: LONG_MS }, () => {
  const paid = (cost_usd: number) => ({ ...ANSWERS.retry, x_usage: { input_tokens: 10, output_tokens: 1, cost_usd } });

  test('of money halt a job, and raised it goes on; cost is in cents [R025]', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', [{ answer: paid(2), times: 1 }, DONE]);
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', '--max-cost', '2');
    expect([run.exit, run.printed.status, run.printed.metrics]).toMatchObject([
      4,
      'HALTED_COST',
      { cumulative_cost: 200 },
    ]);
    expect((await stage.json('job', 'raise', 'j', '--max-cost', '2')).printed.code).toBe('LIMIT_TOO_LOW');
    expect((await stage.json('job', 'raise', 'j', '--max-cost', '3')).printed.status).toBe('PENDING');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
  });

  test('of time end the agent and halt the job', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', [{ ...DONE, delay_ms: 60_000, times: 1 }, DONE]);
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', '--max-time', '1s');
    expect([run.exit, run.printed.status]).toEqual([4, 'HALTED_TIME']);
    await stage.ok('job', 'raise', 'j', '--max-time', '10m');
    expect((await stage.json('job', 'run', 'j')).exit).toBe(0);
  });
});

describe('an answer by hand', { timeout: LONG_MS }, () => {
  test('is taken once: the same again is the first result, another one is refused', async () => {
    const stage = new JobStage();
    await stage.scripted('agent', [DONE]);
    await stage.ok('job', 'create', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'agent', '--activate');
    stage.write('answer.json', JSON.stringify(ANSWERS.completed));
    stage.write('other.json', JSON.stringify(ANSWERS.stuck));
    const post = (role: string, file: string) =>
      stage.json('job', 'poststep', 'j', '--role', role, '--response-file', file, '--handoff', 'h1');
    expect((await post('Supervisor', 'answer.json')).printed.code).toBe('NON_COMPLIANT');
    expect((await post('Worker', 'answer.json')).printed.status).toBe('REVIEWING');
    expect((await post('Worker', 'answer.json')).printed.status).toBe('REVIEWING');
    expect((await post('Worker', 'other.json')).printed.code).toBe('KEY_REUSED');
    expect(await stage.history('j')).toHaveLength(1);
  });
});
