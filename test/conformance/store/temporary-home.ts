import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { BatonError } from '../../../src/contracts/shared/errors.js';

/** A folder for one test; gone after it. */
export function temporaryHome(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-home-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The failure of something that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<BatonError> {
  return work.then(
    () => {
      throw new Error('it did not fail');
    },
    (failure) => failure,
  );
}

/** Only root may. */
export function mounting(program: 'mount' | 'umount', ...args: readonly string[]): void {
  execFileSync(program, args);
}
