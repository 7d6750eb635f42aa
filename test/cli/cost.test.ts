import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { JobStage } from '../jobs/job-stage.js';

/** An agent that says what it used; its first try is turned down by the check. */
const AGENT = `
const fs = require('fs');
const tried = fs.existsSync('tried');
fs.writeFileSync('tried', '');
if (tried) fs.writeFileSync('good', '');
console.log(JSON.stringify({
  action: 'COMPLETED', evidence_files: ['tried'], summary_for_supervisor: 'Done.',
  x_usage: { input_tokens: 100, output_tokens: 20, cost_usd: 0.5, model: 'm' },
}));`;

describe('baton cost', () => {
  test('tells what was spent and what of it led nowhere, by whatever it is asked for', async () => {
    const stage = new JobStage();
    await stage.ok(
      'agent',
      'register',
      'a',
      '--adapter',
      'command',
      '--command',
      JSON.stringify(['node', '-e', AGENT]),
    );
    const words = ['--agent', 'a', '--supervisor', 'none', '--check', 'test -f good'];
    expect((await stage.json('run', 'Do it', '--id', 'one', ...words)).printed.status).toBe('SUCCESS');
    const { items } = (await stage.json('cost')).printed;
    expect(items).toEqual([{ key: 'a', cost_usd: 1, wasted_usd: 0.5, tokens: 240, handoffs: 2 }]);
    expect((await stage.json('cost', '--by', 'run')).printed.items).toMatchObject([{ key: 'one', cost_usd: 1 }]);
    expect((await stage.json('cost', '--by', 'project')).printed.items).toMatchObject([
      { key: path.basename(stage.repo) },
    ]);
    expect((await stage.json('cost', '--by', 'model')).printed.items).toEqual([
      { key: 'm', cost_usd: 1, wasted_usd: 0.5, tokens: 240, handoffs: 2 },
    ]);
    expect((await stage.json('cost', '--by', 'kind')).printed.items).toMatchObject([{ key: 'job', cost_usd: 1 }]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await stage.json('cost', '--by', 'day', '--since', '2d')).printed.items).toMatchObject([{ key: today }]);
    expect((await stage.json('cost', '--since', '0d')).printed.items).toEqual([]);
    const { out } = await stage.ok('cost');
    expect(out).toContain('$1.00 in all, $0.50 of it for work that was lost, turned down or called off.');
  });

  test('refuses what is no time', async () => {
    const { code, err } = await new JobStage().cli('cost', '--since', 'yesterday');
    expect([code, err]).toEqual([2, expect.stringContaining('--since takes days, as in 7d')]);
  });
});
