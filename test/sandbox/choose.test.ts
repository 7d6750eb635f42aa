import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { chooseSandbox, tryBwrap } from '../../src/sandbox/choose-sandbox.js';
import { findProgram } from '../../src/sandbox/find-program.js';
import { bwrapSandbox } from '../../src/sandbox/modes/bwrap.js';
import { noneSandbox } from '../../src/sandbox/modes/none.js';
import { trySandbox } from '../../src/sandbox/try-sandbox.js';
import { PATH, Scene } from './scene.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-choose-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function fakeBwrap(script: string): string {
  const file = path.join(folder, 'bwrap');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return folder;
}

/** A bwrap that confines nothing: it becomes the command after `--`. */
const OPEN = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"';

describe.runIf(process.platform === 'linux')('auto', () => {
  test('takes bwrap where a trial shows that it holds', async () => {
    const { sandbox, why } = await chooseSandbox('auto', PATH);
    expect([sandbox.mode, sandbox.strength, why]).toEqual(['bwrap', 'enforced', undefined]);
  });

  test.each([
    ['is not installed', () => folder, /^bwrap is in none of/],
    [
      'fails',
      () => fakeBwrap('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1'),
      /uid map: Permission/,
    ],
    ['confines nothing', () => fakeBwrap(OPEN), /the process inside the sandbox is not to be seen/],
  ])('leaves it to the agents where bwrap %s, and says why', async (_, place, reason) => {
    const { sandbox, why } = await chooseSandbox('auto', place());
    expect([sandbox.mode, sandbox.strength]).toEqual(['agent', 'agent']);
    expect(why).toMatch(reason);
  });
});

describe('a mode by name', () => {
  test.each([
    ['agent', 'agent'],
    ['external', 'declared'],
    ['none', 'nothing'],
  ] as const)('%s is taken at its word', async (mode, strength) => {
    expect((await chooseSandbox(mode, '')).sandbox).toMatchObject({ mode, strength });
  });

  test('that does not hold is refused, not replaced by a weaker one', async () => {
    const refusal = { code: 'SANDBOX_UNAVAILABLE', message: expect.stringContaining('bwrap') };
    await expect(chooseSandbox('bwrap', folder)).rejects.toMatchObject(refusal);
  });

  test('of another system is refused', async () => {
    const other = process.platform === 'darwin' ? 'bwrap' : 'seatbelt';
    await expect(chooseSandbox(other, PATH)).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE' });
  });
});

describe.runIf(process.platform === 'linux')('a trial', () => {
  const program = (): string => {
    const found = findProgram('bwrap', { cwd: '/', PATH });
    if ('reason' in found) throw new Error(found.reason);
    return found.file;
  };

  test('of bwrap as Baton uses it holds', async () => {
    expect(await tryBwrap(program())).toEqual({ type: 'holds' });
  });

  test.each([
    ['network', (args: readonly string[]) => args.filter((one) => one !== '--unshare-net')],
    ['processes', (args: readonly string[]) => args.filter((one) => one !== '--unshare-pid')],
    ['system calls', (args: readonly string[]) => args.filter((one) => one !== '--seccomp' && one !== '4')],
  ])('sees that %s are not kept back', async (layer, change) => {
    const trial = await trySandbox(bwrapSandbox({ program: program(), change }));
    expect(trial).toEqual({ type: 'leaks', layers: [layer] });
  });

  test('of nothing at all sees everything', async () => {
    expect(await trySandbox(noneSandbox)).toEqual({ type: 'leaks', layers: ['files', 'secrets', 'control files'] });
  });

  test('of a bwrap without bounded folders in memory still holds', async () => {
    const scene = new Scene();
    try {
      const sandbox = bwrapSandbox({ program: program(), canSize: false });
      expect(await trySandbox(sandbox)).toEqual({ type: 'holds' });
      expect((await scene.run(sandbox, ['true'])).exitCode).toBe(0);
    } finally {
      scene.clear();
    }
  });
});
