import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../conformance/store/bundle.js';
import { FORBIDDEN_ACTS } from './forbidden-acts.js';
import { PATH } from './scene.js';
import type { Tried } from './try-acts.js';

const isRoot = process.getuid?.() === 0;
const NOBODY = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];
/** Root is tried as somebody without rights too: the kernel treats the two quite differently. */
const USERS: [user: string, prefix: string[], root: boolean][] = isRoot
  ? [
      ['root', [], true],
      ['a user without rights', NOBODY, false],
    ]
  : [['this user', [], false]];

let program: string;
beforeAll(async () => {
  program = fileURLToPath(await bundle(new URL('./try-acts.ts', import.meta.url)));
  chmodSync(path.dirname(program), 0o755);
});

describe.runIf(process.platform === 'linux').each(USERS)('inside the sandbox of %s a command', (_, prefix, root) => {
  let tried: readonly Tried[];
  beforeAll(async () => {
    const [file = '', ...args] = [...prefix, process.execPath, program];
    const env = { PATH, ...(root && process.env.HOME && { HOME: process.env.HOME }) };
    const { stdout } = await promisify(execFile)(file, args, { env, cwd: '/', maxBuffer: 64 * 1024 * 1024 });
    tried = JSON.parse(stdout);
  }, 300_000);

  const of = (name: string, planted: boolean): Tried | undefined =>
    tried.find((one) => one.name === name && one.planted === planted);

  test.each(FORBIDDEN_ACTS)('never $name', ({ name }) => {
    expect(of(name, false)).toMatchObject({ isDone: false, outcome: { stdout: expect.any(String) } });
  });

  test.each(FORBIDDEN_ACTS.filter(({ holeNeedsRoot = false }) => root || !holeNeedsRoot))(
    'with a planted hole $name, and is seen to',
    ({ name }) => {
      expect(of(name, true)).toMatchObject({ isDone: true });
    },
  );
});
