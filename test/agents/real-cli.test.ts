import { describe, expect, test } from 'vitest';
import { DONE, MEND, REAL, type RealName, realStage, runs } from './real-stage.js';

const LONG_MS = 180_000;
const other = (name: RealName): RealName => (name === 'codex' ? 'claude' : 'codex');

describe.each(REAL)('%s works, the other reviews', { timeout: LONG_MS }, (worker) => {
  test('on a real repository: checked, reviewed, landed; what was used is metered at the proxy', async () => {
    const { stage, model } = await realStage([{ steps: [runs(worker, MEND), { text: DONE }] }]);
    const words = ['--agent', worker, '--supervisor', other(worker), '--check', 'node test/add.test.js'];
    const { exit, printed } = await stage.json('run', 'Fix add', '--id', 'j', ...words);
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    await stage.ok('job', 'land', 'j');
    expect(stage.file('add.js')).toContain('a + b');

    const counted = model.served().reduce((sum, { tokens }) => sum + tokens.input + tokens.output, 0);
    expect(printed.metrics).toMatchObject({ tokens: counted, handoffs: 2 });
    const history = await stage.history('j');
    expect(history.map(({ response }) => response.action)).toEqual(['COMPLETED', 'COMPLETED']);
    expect(JSON.stringify(history)).toContain('Fix add');
    expect((await stage.ok('job', 'log', 'j')).out).toMatch(/\$ .*sed -i/);
    expect((await stage.ok('job', 'show', 'j')).out).toContain('metered');
  });

  test('where nothing holds it, nothing is done without a person', async () => {
    const steps = [runs(worker, MEND), { text: DONE }];
    const { stage } = await realStage([{ steps }], { sandbox: { mode: 'none' } });
    const { exit, printed } = await stage.json(
      'run',
      'Fix add',
      '--id',
      'j',
      '--agent',
      worker,
      '--supervisor',
      'none',
    );
    expect([exit, printed.status, printed.waiting_for]).toEqual([3, 'RUNNING', 1]);
  });
});
