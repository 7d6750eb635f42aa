import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Commands } from '../../../src/engine/ports.js';
import { createCommands } from '../../../src/sandbox/commands.js';
import type { ProcessRows } from '../../../src/sandbox/process-rows.js';
import type { ProcessTable } from '../../../src/store/sqlite/process-table.js';
import { PATH, Playground, until } from './playground.js';

const OUTPUT_BYTES_MAX = 1024 * 1024;

let here: Playground;
let commands: Commands;
beforeEach(() => {
  here = new Playground();
  commands = createCommands(here.gate, { env: () => ({ PATH }), limits: { graceMs: 200 } });
});
afterEach(() => here.clear());

function execute(...argv: string[]) {
  const exec = { type: 'Exec', key: 'check-1', argv, cwd: here.home, deadlineMs: 0 } as const;
  return commands.execute({ run: here.run, epoch: 1 }, exec, here.abort.signal);
}

describe('a command of a machine', () => {
  test('tells its exit code and what it printed, in order', async () => {
    const result = await execute('sh', '-c', 'echo one; echo two >&2; echo three; exit 7');
    expect(result).toEqual({ exitCode: 7, output: 'one\ntwo\nthree\n' });
  });

  test('has no exit code when a signal ended it', async () => {
    expect(await execute('sh', '-c', 'echo last; kill -9 $$')).toEqual({ exitCode: null, output: 'last\n' });
  });

  test('that is not found tells 127 and why', async () => {
    const { exitCode, output } = await execute('no-such-program');
    expect({ exitCode, output }).toEqual({
      exitCode: 127,
      output: 'no-such-program is in none of /usr/local/bin, /usr/bin, /bin',
    });
  });

  test('that cannot be started rejects', async () => {
    await expect(execute('true', 'x'.repeat(10 * OUTPUT_BYTES_MAX))).rejects.toThrow('true could not be started');
  });

  test('that floods keeps the beginning and the end, together no more than the cap', async () => {
    const { exitCode, output } = await execute('sh', '-c', 'echo first; head -c 52428800 /dev/zero; echo; echo last');
    expect(exitCode).toBe(0);
    expect(output.startsWith('first\n')).toBe(true);
    expect(output.endsWith('\nlast\n')).toBe(true);
    expect(output).toContain(`[${52_428_800 + 12 - OUTPUT_BYTES_MAX} bytes left out]`);
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(OUTPUT_BYTES_MAX);
  });

  test('carries its key as the handoff', async () => {
    expect((await execute('printenv', 'BATON_HANDOFF')).output).toBe(`${here.run}/check-1/1\n`);
  });

  test('has left nothing when an abort settles it', async () => {
    const settled = execute('sh', '-c', `echo begun; setsid ${here.nap} & trap '' TERM; ${here.nap}; ${here.nap}`);
    await until('both nap', () => here.survivors().filter(({ command }) => command === here.nap).length === 2);
    here.abort.abort();
    expect(await settled).toEqual({ exitCode: null, output: 'begun\n' });
    expect(here.survivors()).toEqual([]);
    expect(await here.table.list({ run: here.run })).toEqual([]);
  });

  test('that is aborted before it starts does nothing', async () => {
    here.abort.abort();
    expect(await execute('touch', 'ran')).toEqual({ exitCode: null, output: '' });
    expect(here.has('ran')).toBe(false);
  });
});

test('the process table of the SQLite store is one that the gate can use', () => {
  const fits: (table: ProcessTable) => ProcessRows = (table) => table;
  expect(fits).toBeTypeOf('function');
});
