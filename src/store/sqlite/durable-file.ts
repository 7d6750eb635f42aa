import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/** When this returns, the file is there with all its bytes even if the power fails now. */
export function writeDurably(file: string, bytes: Uint8Array): void {
  const folder = path.dirname(file);
  if (mkdirSync(folder, { recursive: true, mode: 0o700 })) syncFolder(path.dirname(folder));
  const temporary = path.join(folder, `.${randomUUID()}.new`);
  try {
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (failure) {
    rmSync(temporary, { force: true });
    throw failure;
  }
  syncFolder(folder);
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
