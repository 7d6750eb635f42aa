import { describe, expect, test } from 'vitest';
import { ANSWERS, JobStage, prints } from './job-stage.js';

const LONG_MS = 180_000;
const writes = (file: string, text: string): string =>
  `printf '${text}\\n' > ${file}\n${prints({ ...ANSWERS.completed, evidence_files: [file] })}`;

describe('landing', { timeout: LONG_MS }, () => {
  test('that conflicts changes nothing, asks, and can be sent back to the agent', async () => {
    const stage = new JobStage();
    await stage.shell('agent', writes('add.js', 'of the agent'));
    await stage.ok('run', 'Work', '--id', 'j', '--agent', 'agent');
    stage.write('add.js', 'of the user\n');
    const users = stage.commit('meanwhile');
    const before = stage.checkout();
    const land = await stage.json('job', 'land', 'j');
    expect([land.exit, land.printed.status, land.printed.outcome]).toEqual([
      3,
      'conflict',
      { type: 'conflict', files: ['add.js'] },
    ]);
    expect(stage.checkout()).toBe(before);
    const [item] = (await stage.json('inbox')).printed.items as { item: number; kind: string }[];
    expect(item?.kind).toBe('landing');
    const back = await stage.ok('answer', String(item?.item), '--guidance', 'keep what the user wrote');
    const again = /Sent back as (\S+):/.exec(back.err)?.[1] ?? '';
    expect((await stage.json('job', 'run', again)).exit).toBe(0);
    expect((await stage.json('job', 'land', again)).exit).toBe(0);
    expect([stage.file('add.js'), stage.git('rev-parse', 'HEAD^')]).toEqual(['of the agent\n', users]);
    expect((await stage.json('inbox')).printed.items).toEqual([]);
  });

  test('of two jobs at once brings both home', async () => {
    const stage = new JobStage();
    await stage.shell('one', writes('one.txt', 'one'));
    await stage.shell('two', writes('two.txt', 'two'));
    await stage.ok('run', 'One', '--id', 'a', '--agent', 'one');
    await stage.ok('run', 'Two', '--id', 'b', '--agent', 'two');
    const landed = await Promise.all([stage.json('job', 'land', 'a'), stage.json('job', 'land', 'b')]);
    expect(landed.map(({ exit }) => exit)).toEqual([0, 0]);
    expect([stage.file('one.txt'), stage.file('two.txt'), stage.git('status', '--porcelain')]).toEqual([
      'one\n',
      'two\n',
      '',
    ]);
  });

  test('whose checks fail on the merged tree changes nothing', async () => {
    const stage = new JobStage();
    await stage.shell('agent', writes('word.txt', 'hello'));
    await stage.ok('run', 'Work', '--id', 'j', '--agent', 'agent', '--check', 'test ! -e forbidden.txt');
    stage.write('forbidden.txt', 'x\n');
    stage.commit('meanwhile');
    const before = stage.checkout();
    const land = await stage.json('job', 'land', 'j');
    expect([land.exit, land.printed.status, stage.checkout()]).toEqual([3, 'unproven', before]);
  });

  test('never touches a checkout with changes, nor a job that is not finished', async () => {
    const stage = new JobStage();
    await stage.shell('agent', writes('word.txt', 'hello'));
    await stage.ok('run', 'Work', '--id', 'j', '--agent', 'agent');
    await stage.ok('job', 'create', 'Later', '--id', 'k', '--agent', 'agent');
    stage.write('add.js', 'not committed\n');
    const before = stage.checkout();
    const [dirty, draft] = [await stage.json('job', 'land', 'j'), await stage.json('job', 'land', 'k')];
    expect([dirty.exit, dirty.printed.status, draft.printed.code]).toEqual([1, 'refused', 'INVALID_TRANSITION']);
    expect(stage.checkout()).toBe(before);
  });
});

test('a fork leaves the original alone, and a rollback restores', { timeout: LONG_MS }, async () => {
  const stage = new JobStage();
  await stage.shell('agent', writes('word.txt', 'hello'));
  await stage.scripted('boss', [{ answer: ANSWERS.stuck, times: 1 }, { answer: ANSWERS.completed }]);
  const run = await stage.json('run', 'Work', '--id', 'j', '--agent', 'agent', '--supervisor', 'boss');
  expect([run.exit, run.printed.current_phase]).toEqual([3, 'supervisor-review']);
  const fork = await stage.json('job', 'fork', 'j', '--to', 'p1', '--id', 'f');
  expect([fork.printed.status, (await stage.json('job', 'show', 'j')).printed.status]).toEqual([
    'PENDING',
    'INTERVENTION_REQUIRED',
  ]);
  expect((await stage.json('job', 'run', 'f')).exit).toBe(3);
  const back = await stage.json('job', 'rollback', 'j', '--to', 'p1');
  expect(back.printed.status).toBe('INTERVENTION_REQUIRED');
  const rest = await stage.json('job', 'run', 'j');
  expect([rest.exit, rest.printed.status]).toEqual([0, 'SUCCESS']);
});
