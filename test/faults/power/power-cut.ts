import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Seeded } from '../../simulation/seeded.js';
import { startAppender } from '../stage/appender-process.js';
import type { SourceBug } from '../stage/build-plugins.js';
import { buildPrograms, type Programs } from '../stage/build-programs.js';
import { examineApart } from '../stage/examine-apart.js';
import type { Report } from '../stage/report.js';
import { isStopped } from '../stage/under-way.js';
import { pause, within } from '../stage/waiting.js';

/** EXT4_IOC_SHUTDOWN without writing out the log: whatever was not synced is gone, as after a power cut. */
const CUT = `
import fcntl, os, struct, sys
folder = os.open(sys.argv[1], os.O_RDONLY)
fcntl.ioctl(folder, 0x8004587d, struct.pack('I', 2))
`;
const DISK_BYTES = 64 * 1024 * 1024;
const COMMANDS = 1_000_000;
const LANES = 4;
const CUT_AFTER_MS_MAX = 250;
const READY_MS_MAX = 30_000;
const STOPPED_MS_MAX = 2_000;

export type PowerOptions = { root: string; cuts: number; seed: number; sourceBug?: SourceBug };

/** A file system of its own that is cut off while commands are being acknowledged, then mounted and looked at. */
export async function powerHarness({ root, cuts, seed, sourceBug }: PowerOptions): Promise<Report> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-power-'));
  const image = path.join(folder, 'disk.img');
  const disk = path.join(folder, 'disk');
  const chance = new Seeded(seed);
  const lost: string[] = [];
  const problems: string[] = [];
  let acknowledged = 0;
  let cut = 0;
  mkdirSync(disk);
  try {
    const programs = await buildPrograms(root, path.join(folder, 'programs'), sourceBug);
    for (; cut < cuts && lost.length === 0; cut += 1) {
      writeFileSync(image, '');
      truncateSync(image, DISK_BYTES);
      execFileSync('mkfs.ext4', ['-q', '-F', image]);
      const after = await cutOnce({ programs, folder, image, disk, afterMs: chance.below(CUT_AFTER_MS_MAX), cut });
      acknowledged += after.acknowledged;
      lost.push(...after.lost);
      problems.push(...after.problems);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { what: `power cut, ${cut} cuts, seed ${seed}`, acknowledged, lost, twice: [], problems, notes: [] };
}

type Cut = { programs: Programs; folder: string; image: string; disk: string; afterMs: number; cut: number };

async function cutOnce({ programs, folder, image, disk, afterMs, cut }: Cut) {
  const home = path.join(disk, 'home');
  execFileSync('mount', ['-o', 'loop', image, disk]);
  mkdirSync(home, { mode: 0o700 });
  const order = { home, writer: 'thread' as const, name: `cut-${cut}`, commands: COMMANDS, lanes: LANES };
  const rest = { waits: false, planted: null, requestBytes: [null, 2_000] };
  const appender = startAppender(programs, folder, { ...order, ...rest });
  try {
    await within(READY_MS_MAX, () => appender.acknowledged.size > 0 || appender.process.exit !== undefined);
    await pause(afterMs);
    // The kernel lets a sync that races with the shutdown return as if it had been done, for any program. So none is
    // under way: every thread has stopped, in the middle of a commit as often as not.
    appender.process.signal('SIGSTOP');
    await within(STOPPED_MS_MAX, () => isStopped(appender.process.pid));
    execFileSync('python3', ['-c', CUT, disk]);
    await appender.process.kill();
  } finally {
    execFileSync('umount', [disk]);
  }
  execFileSync('mount', ['-o', 'loop', image, disk]);
  try {
    const acknowledged = [...appender.acknowledged.keys()];
    const after = await examineApart(programs, folder, { home, acknowledged, when: `cut ${cut} after ${afterMs} ms` });
    return { ...after, acknowledged: appender.acknowledged.size };
  } finally {
    execFileSync('umount', [disk]);
  }
}
