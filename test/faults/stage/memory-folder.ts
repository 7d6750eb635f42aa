import { existsSync } from 'node:fs';
import os from 'node:os';

/** Where a sync costs nothing, for what is done many thousand times and has no disk to torture. */
export function memoryFolder(): string {
  return existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
}
