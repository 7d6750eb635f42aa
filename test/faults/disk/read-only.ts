import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startAppender } from '../stage/appender-process.js';
import { buildPrograms } from '../stage/build-programs.js';
import { examineApart } from '../stage/examine-apart.js';
import type { Report } from '../stage/report.js';

const COMMANDS = 5;

/** A disk that has become read-only, as the kernel makes it after an error. It refuses to under an open store. */
export async function readOnlyHarness({ root }: { root: string }): Promise<Report> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-read-only-'));
  const disk = path.join(folder, 'disk');
  const home = path.join(disk, 'home');
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk]);
  try {
    const programs = await buildPrograms(root, path.join(folder, 'programs'));
    mkdirSync(home, { mode: 0o700 });
    const rest = {
      writer: 'main' as const,
      commands: COMMANDS,
      lanes: 1,
      requestBytes: [null],
      waits: false,
      planted: null,
    };
    const before = startAppender(programs, folder, { home, name: 'before', ...rest });
    await before.process.ended;
    execFileSync('mount', ['-o', 'remount,ro', disk]);
    const refused = startAppender(programs, folder, { home, name: 'refused', ...rest });
    await refused.process.ended;
    execFileSync('mount', ['-o', 'remount,rw', disk]);
    const acknowledged = [...before.acknowledged.keys(), ...refused.acknowledged.keys()];
    const { lost, problems } = await examineApart(programs, folder, { home, acknowledged, when: 'writable again' });
    const code = refused.errors[0] ?? refused.untyped[0] ?? 'nothing';
    return {
      what: 'read-only disk',
      acknowledged: acknowledged.length,
      lost,
      twice: [],
      problems: [...problems, ...(code === 'STORE_READONLY' ? [] : [`refused with ${code}, not with STORE_READONLY`])],
      notes: [`ended with: ${code}`],
    };
  } finally {
    execFileSync('umount', [disk]);
    rmSync(folder, { recursive: true, force: true });
  }
}
