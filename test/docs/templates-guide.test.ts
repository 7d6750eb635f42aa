import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { STEPS } from '../../src/template/generate/steps.js';
import { baton, ROOT } from '../cli/run-bin.js';
import { ORDER_SERVICE } from '../template/kit/projects.js';
import { readFiles, temporaryFolder, writeFiles } from '../template/kit/write-files.js';

const GUIDE = readFileSync(path.join(ROOT, 'docs/guides/templates.md'), 'utf8');

test('the first commands of the guide make a template and a project of it', () => {
  const folder = temporaryFolder();
  const cwd = writeFiles(path.join(folder, 'source'), ORDER_SERVICE);
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(GUIDE) ?? [];
  const commands = block.trim().split('\n');
  expect(commands.length).toBe(2);
  for (const command of commands) {
    const ran = baton(command.split(' ').slice(1), { cwd, env: { BATON_HOME: path.join(folder, 'home') } });
    expect(ran).toMatchObject({ code: 0 });
  }
  expect(Object.keys(readFiles(path.join(folder, 'billing')))).toContain('src/services/billing-service.ts');
});

test('the guide names the phases as they are', () => {
  const rows = [...GUIDE.matchAll(/^\| (\d) \| (\w+) \|/gm)].map(([, phase, name]) => `${phase} ${name}`);
  expect(rows).toEqual(STEPS.map(({ phase, phase_name }) => `${phase} ${phase_name}`));
});
