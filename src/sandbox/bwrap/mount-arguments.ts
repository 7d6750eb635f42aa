import { statSync } from 'node:fs';
import type { Place, PlaceKind } from './place.js';

/** Shared memory is not for keeping much; of what is hidden there is nothing to keep. */
const SHARED_BYTES = 64 * 1024 * 1024;
const HIDDEN_BYTES = 4096;

/**
 * Root may write the settings of the whole machine (/proc/sys and others) without any capability. bwrap means to cover
 * them, but takes the folder, which nobody can write to, for its files.
 */
const isRoot = process.getuid?.() === 0;

export type MountOptions = {
  scratchBytesMax: number | undefined;
  /** Whether this bwrap can bound a folder in memory (0.7 and later); else half of the memory is the bound. */
  canSize: boolean;
};

/**
 * A read-only view of this machine, with the places laid over it and `more` mounts in them. Folders in memory are used
 * where they do: bwrap reads the whole list of mounts again for every bind.
 */
export function mountArguments(places: readonly Place[], options: MountOptions, more: readonly string[]): string[] {
  const inMemory = (path: string, bytes: number | undefined): string[] =>
    bytes === undefined || !options.canSize ? ['--tmpfs', path] : ['--size', String(bytes), '--tmpfs', path];
  const arguments_: Record<PlaceKind, (path: string) => string[]> = {
    private: (path) => inMemory(path, options.scratchBytesMax),
    'read-only': (path) => ['--ro-bind', path, path],
    writable: (path) => ['--bind', path, path],
    pinned: (path) => ['--bind', path, path],
    control: (path) => ['--ro-bind', path, path],
    absent: (path) => ['--ro-bind', path, path],
    hidden: (path) =>
      isFolder(path) ? ['--perms', '0555', ...inMemory(path, HIDDEN_BYTES)] : ['--ro-bind', '/dev/null', path],
  };
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', ...inMemory('/dev/shm', SHARED_BYTES), '--remount-ro', '/dev'],
    ...['--proc', '/proc', ...(isRoot ? ['--remount-ro', '/proc'] : [])],
    ...places.flatMap(({ kind, path }) => arguments_[kind](path)),
    ...more,
  ];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
