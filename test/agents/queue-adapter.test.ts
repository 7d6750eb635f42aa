import path from 'node:path';
import { expect, test } from 'vitest';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';

/** As it is built: the library's store has a thread of its own, which is a file. */
const LIBRARY = path.resolve(import.meta.dirname, '../../dist/lib/index.js');

test('a job whose work is pulled: the library takes it and hands it in', { timeout: 60_000 }, async () => {
  const { openBaton }: typeof import('../../src/index.js') = await import(LIBRARY);
  const stage = new JobStage();
  const env = { PATH: stage.path, USER: 'anna' };
  const baton = await openBaton({ home: stage.home, env });
  try {
    await baton.agents.register({ id: 'puller', adapter: 'queue', labels: ['linux'] });
    await baton.jobs.create({
      id: 'j',
      prompt: 'Look at it',
      repo: stage.repo,
      agent: 'puller',
      supervisor: 'none',
      activate: true,
    });
    const ended = baton.jobs.run('j');
    const work = await baton.handoffs.claim({ agent: 'puller', labels: ['linux', 'arm'], waitMs: 30_000 });
    expect(JSON.parse(Buffer.from(work?.request ?? []).toString())).toMatchObject({ job_id: 'j' });
    baton.handoffs.log(work?.token ?? '', 'I look.\n');
    baton.handoffs.answer(work?.token ?? '', JSON.stringify(ANSWERS.completed));
    expect((await ended).status).toBe('SUCCESS');
    expect((await stage.ok('job', 'log', 'j')).out).toContain('I look.');
  } finally {
    await baton.close();
  }
});
