import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stageExecution } from '../../src/contracts/envelope/stage-execution.js';
import { check } from '../../src/contracts/shared/contract.js';
import { missingLocations } from '../../src/tools/check-locations.js';
import { Bench } from './bench.js';

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
  bench.git('init', '-q');
  bench.write('src/login.ts', 'export function login(user: string) {\r\n  return check(user);\r\n}');
});
afterEach(() => bench.close());

test('what the built-in tools find can be cited', async () => {
  const end = await bench.run([
    { tool: 'list_files' },
    { tool: 'code_search', params: { query: 'user' } },
    { tool: 'find_symbols', params: { name: 'login' } },
    { tool: 'read_file', params: { path: 'src/login.ts', start_line: 3 } },
  ]);
  if (!('output' in end)) throw new Error('it was not run');
  expect(check(stageExecution, end.output)).toMatchObject({ allow: true });
  const places = (end.output.evidence ?? []).map(({ location }) => location);
  expect(places).toEqual(['src/login.ts:1', 'src/login.ts:2', 'src/login.ts:1', 'src/login.ts:3']);
  expect(await missingLocations(bench.folder, places)).toEqual([]);
});

test('nothing runs before what is risky was agreed to, and then all of it does', async () => {
  const mark = path.join(bench.folder, 'looked');
  bench.tools = {
    look: { command: [bench.program('look', 'touch looked')], risk: 'read_only' },
    drop: { command: [bench.program('drop', 'rm src/login.ts')], risk: 'destructive' },
  };
  const steps = [{ tool: 'look' }, { tool: 'drop', params: { file: 'src/login.ts' } }];
  const asked = await bench.run(steps);
  if (!('needsConfirmation' in asked)) throw new Error('nothing was asked');
  expect(asked.needsConfirmation.message).toBe('Run 1 step that destroys things: drop {file: "src/login.ts"}?');
  expect(existsSync(mark)).toBe(false);
  expect(await bench.run(steps, asked.needsConfirmation.hash)).toMatchObject({
    output: { status: 'success' },
    end: null,
  });
  expect(existsSync(mark)).toBe(true);
  expect(existsSync(path.join(bench.folder, 'src/login.ts'))).toBe(false);
});

test('a path that leads elsewhere ends it there; a file that is not there does not', async () => {
  const read = (file: string) => ({ tool: 'read_file', params: { path: file } });
  expect(await bench.run([read('none.ts'), read('src/login.ts')])).toMatchObject({
    output: { status: 'partial', results: [{ result: { error: { error_type: 'ToolError' } } }, { tool: 'read_file' }] },
    end: null,
  });
  expect(await bench.run([read('none.ts'), read('../x'), read('src/login.ts')])).toMatchObject({
    output: { status: 'error', results: { length: 2 } },
    failures: [{ step_index: 0 }, { step_index: 1, error_type: 'PathRefused' }],
    end: 'tool_failed_fatally',
  });
});
