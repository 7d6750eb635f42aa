import { describe, expect, test } from 'vitest';
import { alive } from './alive.js';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 180_000;
/** Says that it has begun, then waits until it is let go. */
const waits = (stage: JobStage, what = prints(ANSWERS.completed)): string =>
  `touch ${stage.folder}/began\nwhile [ ! -e ${stage.folder}/go ]; do sleep 0.05; done\n${what}`;
const paid = prints({ ...ANSWERS.retry, x_usage: { input_tokens: 1, output_tokens: 1, cost_usd: 3 } });

async function asked(script: (stage: JobStage) => string, ...options: string[]) {
  const stage = new JobStage();
  await stage.shell('agent', script(stage));
  const running = stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', ...options);
  await stage.until('began');
  return { stage, running, go: () => stage.touch('go') };
}

describe('a limit that changes while an agent is asked', { timeout: LONG_MS }, () => {
  test('raised counts for the answer that comes', async () => {
    const once = (stage: JobStage) =>
      `if [ -e ${stage.folder}/paid ]; then\n${prints(ANSWERS.completed)}\nelse\ntouch ${stage.folder}/paid\n${paid}\nfi`;
    const { stage, running, go } = await asked((one) => waits(one, once(one)), '--max-cost', '2');
    await stage.ok('job', 'raise', 'j', '--max-cost', '10');
    go();
    expect((await running).printed).toMatchObject({ status: 'SUCCESS', metrics: { cost_usd: 3 } });
  });

  test('of time, raised, lets the job go on after the agent was cut off at the old one', async () => {
    const { stage, running, go } = await asked((one) => waits(one), '--max-time', '3s');
    await stage.ok('job', 'raise', 'j', '--max-time', '10m');
    const cut = async (): Promise<void> => {
      while ((await stage.history('j')).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
      go();
    };
    await cut();
    expect((await running).printed.status).toBe('SUCCESS');
    expect((await stage.history('j')).map(({ response }) => response.status)).toEqual(['TIMEOUT', 'SUCCESS']);
  });

  test('cannot be lowered below what is spent, and lowered above it halts the job later', async () => {
    const { stage, running, go } = await asked((one) => waits(one, paid), '--max-cost', '100');
    expect((await stage.json('job', 'raise', 'j', '--max-cost', '-1')).exit).not.toBe(0);
    await stage.ok('job', 'raise', 'j', '--max-cost', '2');
    go();
    expect((await running).printed).toMatchObject({ status: 'HALTED_COST', metrics: { cost_usd: 3 } });
    const low = await stage.json('job', 'raise', 'j', '--max-cost', '2.5');
    expect([low.printed.code, low.printed.reason]).toEqual([
      'LIMIT_TOO_LOW',
      '$2.50 is not above the $3.00 already spent',
    ]);
    expect((await stage.json('job', 'show', 'j')).printed.status).toBe('HALTED_COST');
  });
});

describe('a job that is canceled', { timeout: LONG_MS }, () => {
  const block = (stage: JobStage): string => `sh -c 'touch ${stage.folder}/began; sleep 312.${process.pid}'`;

  async function canceled(stage: JobStage, ...options: string[]): Promise<void> {
    const before = stage.checkout();
    const running = stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', ...options);
    await stage.until('began');
    expect((await stage.json('job', 'cancel', 'j')).printed.status).toBe('CANCELED');
    expect((await running).printed.status).toBe('CANCELED');
    expect(alive(`312.${process.pid}`)).toEqual([]);
    expect(stage.checkout()).toBe(before);
    expect((await stage.json('job', 'cancel', 'j')).printed.code).toBe('INVALID_TRANSITION');
    expect((await stage.json('inbox')).printed.items).toEqual([]);
    expect((await stage.cli('job', 'replay', 'j')).code).toBe(0);
  }

  test('while its workspace is prepared', async () => {
    const stage = new JobStage();
    await stage.shell('agent', prints(ANSWERS.completed));
    await canceled(stage, '--setup', block(stage));
  });

  test('while its work is proven', async () => {
    const stage = new JobStage();
    await stage.shell('agent', prints(ANSWERS.completed));
    await canceled(stage, '--check', block(stage));
    expect((await stage.json('job', 'land', 'j')).printed.code).toBe('INVALID_TRANSITION');
  });

  test('while its answer is collected', async () => {
    const stage = new JobStage();
    // Many files take git a moment; whether it is cut off or just done, nothing is left over.
    const many = 'mkdir many; for i in $(seq 3000); do echo $i > many/$i; done';
    await stage.shell('agent', `${many}\ntouch ${stage.folder}/began\n${prints(ANSWERS.completed)}`);
    const running = stage.json('run', 'Work', '--id', 'j', '--agent', 'agent');
    await stage.until('began');
    const events = async () => (await stage.cli('events', '--run', 'j')).out;
    while (!(await events()).includes('HandoffAnswered')) await new Promise((resolve) => setTimeout(resolve, 5));
    const cancel = await stage.json('job', 'cancel', 'j');
    expect((await running).printed.status).toBe(cancel.exit === 0 ? 'CANCELED' : 'SUCCESS');
  });
});
