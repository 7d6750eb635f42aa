import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { JobStage, prints } from '../jobs/job-stage.js';
import { doneResult, planOf, planTask } from '../operator/plans.js';

/** The shortest limit that a plan can name is 30 s; where nothing else hangs on it, a part of it is waited for. */
const limit = vi.hoisted(() => ({ part: 1 }));
vi.mock('../../src/core/task/silence-limit.js', async (original) => {
  const { silenceMs } = await original<typeof import('../../src/core/task/silence-limit.js')>();
  return { silenceMs: (spec: { timeout_seconds: number }) => silenceMs(spec) * limit.part };
});

const RUN = '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4';
const LONG_MS = 180_000;

afterEach(() => {
  vi.useRealTimers();
  limit.part = 1;
});

test('who was silent for too long is not heard any more; what the second one hands in stands', async () => {
  const stage = new JobStage();
  const task = planTask('T-1');
  const plan = put(stage, 'plan.json', planOf(RUN, task));
  const result = put(stage, 'result.json', doneResult(RUN, task, 'src/one.js'));
  await stage.ok('operator', 'init', plan);
  const beat = (epoch: string) => stage.json('operator', 'heartbeat', RUN, 'T-1', '--epoch', epoch);
  const handIn = (epoch: string) => stage.json('operator', 'result', RUN, result, '--epoch', epoch);

  vi.useFakeTimers({ toFake: ['Date'] });
  const first = (await stage.json('operator', 'claim', RUN, '--owner', 'first')).printed;
  expect(first).toMatchObject({ epoch: 1, assignment: { task: { task_id: 'T-1' } } });
  later(29);
  expect((await beat('1')).exit).toBe(0);
  later(30);
  await stage.ok('operator', 'tick', RUN);
  expect((await beat('1')).exit, 'the last heartbeat counts').toBe(0);

  later(31);
  await stage.ok('operator', 'tick', RUN);
  expect(await row(stage)).toMatchObject({ status: 'blocked' });
  expect((await stage.json('operator', 'locks', RUN)).printed.active_locks).toEqual([]);
  expect((await handIn('1')).printed).toMatchObject({ allow: false, code: 'INVALID_TRANSITION' });

  const again = { delta_id: 'again', task_id: 'T-1', status: 'todo', owner: 'lead', reason: 'once more' };
  await stage.ok('operator', 'delta', RUN, put(stage, 'delta.json', again));
  const second = (await stage.json('operator', 'claim', RUN, '--owner', 'second')).printed;
  expect(second).toMatchObject({ epoch: 2 });
  expect((await beat('1')).printed).toMatchObject({ allow: false, code: 'HANDOFF_LOST' });
  expect((await handIn('1')).printed).toMatchObject({ allow: false, code: 'HANDOFF_LOST' });
  expect(await row(stage)).toMatchObject({ status: 'in_progress', owner: 'second' });

  expect((await handIn('2')).exit).toBe(0);
  expect(await row(stage)).toMatchObject({ status: 'done', owner: 'second' });
  expect((await handIn('1')).printed).toMatchObject({ allow: false, code: 'INVALID_TRANSITION' });
  await stage.ok('operator', 'reconcile', RUN);
});

test.skipIf(process.platform !== 'linux')(
  'an agent that stands still beyond its timeout is ended; what it would have done changes nothing',
  {
    timeout: LONG_MS,
  },
  async () => {
    limit.part = 0.1;
    const stage = new JobStage();
    const task = planTask('T-1', { lock_scope: ['src/'] });
    const plan = put(stage, 'plan.json', planOf(RUN, task));
    // The first one stops itself; the second one lets it go on, and works.
    await stage.shell(
      'sleeper',
      [
        `echo "$BATON_RUN $$" >>${stage.folder}/began`,
        'case "$BATON_RUN" in',
        '*.1) trap "" TERM; kill -STOP $$; WORD=late;;',
        `*) kill -CONT $(head -n 1 ${stage.folder}/began | cut -d " " -f 2) 2>/dev/null; sleep 1; WORD=right;;`,
        'esac',
        'echo $WORD >src/word.txt',
        prints(doneResult(RUN, task, 'src/word.txt')),
      ].join('\n'),
    );
    const { exit, printed } = await stage.json('operator', 'run', plan, '--agent', 'sleeper');
    expect([exit, printed.status]).toEqual([0, 'done']);
    expect(await row(stage)).toMatchObject({ status: 'done', attempt: 2 });
    const [first, second, ...more] = begun(stage);
    expect([first?.run, second?.run, more]).toEqual([`${RUN}.T-1.1`, `${RUN}.T-1.2`, []]);
    expect(existsSync(`/proc/${first?.pid}`)).toBe(false);
    expect(stage.git('show', `baton/${RUN}:src/word.txt`)).toBe('right');
    expect(stage.git('log', '--format=%(trailers:key=Baton-Task,valueonly)', `main..baton/${RUN}`)).toBe('T-1');
    await stage.ok('audit', 'verify');
  },
);

function put(stage: JobStage, name: string, value: object): string {
  const file = path.join(stage.folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

function later(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000);
}

async function row(stage: JobStage): Promise<unknown> {
  const { tasks } = (await stage.json('operator', 'ledger', RUN)).printed as { tasks: unknown[] };
  return tasks[0];
}

/** As the agents wrote it down. */
function begun({ folder }: JobStage): { run: string; pid: string }[] {
  const lines = readFileSync(path.join(folder, 'began'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [run = '', pid = ''] = line.split(' ');
    return { run, pid };
  });
}
