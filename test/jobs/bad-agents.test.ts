import { renameSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { alive } from './alive.js';
import { ANSWERS, JobStage, prints } from './job-stage.js';

// When somebody is asked again is shown elsewhere.
vi.mock('../../src/core/job/job-matrix.js', async (original) => ({
  ...(await original<object>()),
  backOffMs: () => 50,
}));

const LONG_MS = 180_000;
const DONE = prints(ANSWERS.completed);

type Row = [what: string, script: string, status: string, attempts: string[], reason: RegExp | null];

const ROWS: readonly Row[] = [
  ['that is killed', 'kill -9 $$', 'INTERVENTION_REQUIRED', ['crash', 'crash'], /SIGKILL/],
  ['that ends with 1', 'echo boom >&2; exit 1', 'INTERVENTION_REQUIRED', ['crash', 'crash'], /exit 1: boom/],
  ['that answers and fails', `${DONE}\nexit 3`, 'INTERVENTION_REQUIRED', ['crash', 'crash'], /exit 3/],
  ['that ends with 126', 'exit 126', 'INTERVENTION_REQUIRED', ['not-found'], /exit 126/],
  ['that ends with 127', 'exit 127', 'INTERVENTION_REQUIRED', ['not-found'], /exit 127/],
  ['without space', 'echo "No space left on device" >&2; exit 1', 'INTERVENTION_REQUIRED', ['disk-full'], /No space/],
  ['that floods stdout', 'yes', 'INTERVENTION_REQUIRED', ['crash', 'crash'], /larger than/],
  ['that floods stderr', `head -c 100000000 /dev/zero >&2\n${DONE}`, 'SUCCESS', ['null'], null],
  [
    'that writes escapes to stderr',
    "printf '\\033]52;c;aGFsbG8=\\007\\033[2Jx\\r' >&2; exit 1",
    'INTERVENTION_REQUIRED',
    ['crash', 'crash'],
    /^[ -~]*$/,
  ],
];

describe('an agent', { timeout: LONG_MS }, () => {
  test.each(ROWS)('%s', async (_, script, status, causes, reason) => {
    const stage = new JobStage();
    await stage.shell('agent', script);
    const before = stage.checkout();
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent');
    const history = await stage.history('j');
    expect([
      run.printed.status,
      history.map(({ x_attempt }) => String((x_attempt as { cause: unknown }).cause)),
    ]).toEqual([status, causes]);
    if (reason) expect(run.printed.reason).toMatch(reason);
    expect(stage.checkout()).toBe(before);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  });

  test('that closes its standard input at once is an agent like any other', async () => {
    const stage = new JobStage();
    await stage.ok(
      'agent',
      'register',
      'deaf',
      '--adapter',
      'command',
      '--command',
      `sh -c 'exec 0<&-; echo "$0"' '${JSON.stringify(ANSWERS.completed)}'`,
    );
    const prompt = 'x'.repeat(500_000);
    expect((await stage.json('run', prompt, '--id', 'j', '--agent', 'deaf')).printed.status).toBe('SUCCESS');
  });

  test('that is removed after it was registered is said to be missing, and found again later', async () => {
    const stage = new JobStage();
    await stage.ok('agent', 'register', 'ghost', '--adapter', 'command', '--command', `${stage.folder}/ghost.sh`);
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'ghost');
    expect([run.exit, run.printed.reason]).toEqual([3, expect.stringContaining(`${stage.folder}/ghost.sh`)]);
    await stage.shell('other', DONE);
    renameSync(`${stage.folder}/other.sh`, `${stage.folder}/ghost.sh`);
    await stage.ok('job', 'resubmit', 'j');
    expect((await stage.json('job', 'run', 'j')).printed.status).toBe('SUCCESS');
  });
});

describe('no process is left over', { timeout: LONG_MS }, () => {
  const seconds = (word: number): string => `4${word}.25`;
  const DAEMONS = (word: number): string =>
    [
      `setsid sh -c 'sleep ${seconds(word)}' >/dev/null 2>&1 &`,
      `(setsid sh -c '(sleep ${seconds(word)} &) ; sleep ${seconds(word)}' >/dev/null 2>&1 &)`,
      `nohup sleep ${seconds(word)} >/dev/null 2>&1 &`,
      `env -i PATH="$PATH" setsid sleep ${seconds(word)} >/dev/null 2>&1 &`,
    ].join('\n');

  test('of an agent that answered and left daemons behind', async () => {
    const stage = new JobStage();
    const word = 1_000_000 + process.pid;
    await stage.shell('agent', `${DAEMONS(word)}\nsleep 0.3\n${DONE}`);
    expect((await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent')).printed.status).toBe('SUCCESS');
    expect(alive(seconds(word))).toEqual([]);
  });

  test('of an agent that hangs and ignores being asked to end', async () => {
    const stage = new JobStage();
    const word = 2_000_000 + process.pid;
    await stage.shell('agent', `trap '' TERM INT HUP\n${DAEMONS(word)}\nwhile :; do sleep ${seconds(word)}; done`);
    const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', '--timeout-seconds', '2');
    expect([run.exit, run.printed.status, run.printed.reason]).toEqual([
      3,
      'INTERVENTION_REQUIRED',
      'the agent did not answer in time',
    ]);
    expect(await stage.history('j')).toMatchObject([{ response: { status: 'TIMEOUT', action: 'STUCK' } }]);
    expect(alive(seconds(word))).toEqual([]);
  });

  test('of a job that is canceled while its agent works', async () => {
    const stage = new JobStage();
    const word = 3_000_000 + process.pid;
    await stage.shell('agent', `${DAEMONS(word)}\ntouch ${stage.folder}/began\nsleep ${seconds(word)}`);
    const before = stage.checkout();
    const running = stage.json('run', 'Work', '--id', 'j', '--agent', 'agent');
    await stage.until('began');
    // They are seen while they live, once each has become what it shall be.
    await vi.waitUntil(() => alive(seconds(word)).length > 3, { timeout: LONG_MS });
    expect((await stage.json('job', 'cancel', 'j')).printed.status).toBe('CANCELED');
    expect((await running).printed.status).toBe('CANCELED');
    expect(alive(seconds(word))).toEqual([]);
    expect(stage.checkout()).toBe(before);
  });
});
