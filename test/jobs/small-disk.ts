import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Why there can be no small disk here; undefined when there can. */
export const noSmallDisk: string | undefined = tryOnce();

/** A folder becomes a disk of its own, with all that is in it. */
export class SmallDisk {
  readonly #folder: string;

  constructor(folder: string, size: string) {
    this.#folder = folder;
    const whole = `${folder}.whole`;
    renameSync(folder, whole);
    execFileSync('mkdir', [folder]);
    mount(folder, size);
    onTestFinished(() => void spawnSync('umount', ['-l', folder]));
    execFileSync('cp', ['-a', `${whole}/.`, folder]);
    rmSync(whole, { recursive: true });
  }

  grow(size: string): void {
    execFileSync('mount', ['-o', `remount,size=${size}`, this.#folder]);
  }
}

function mount(folder: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', folder], { stdio: 'pipe' });
}

function tryOnce(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root on Linux can mount a small disk';
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-disk-'));
  try {
    mount(folder, '1m');
    execFileSync('umount', [folder]);
    return undefined;
  } catch (failure) {
    return `no small disk can be mounted: ${String(failure)}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
