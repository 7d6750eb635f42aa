import { BatonError } from '../../contracts/shared/errors.js';
import type { Connection } from './connection.js';
import { isBusy } from './sqlite-failure.js';

/**
 * Set on every connection and read back, because the defaults of builds differ (with WAL many sync only checkpoints).
 * The store's promise rests on the first two.
 */
const REQUIRED: readonly { name: string; set: string; is: string | number }[] = [
  { name: 'journal_mode', set: 'WAL', is: 'wal' },
  { name: 'synchronous', set: 'FULL', is: 2 },
  { name: 'fullfsync', set: 'ON', is: 1 },
  { name: 'checkpoint_fullfsync', set: 'ON', is: 1 },
  { name: 'cell_size_check', set: 'ON', is: 1 },
  { name: 'trusted_schema', set: 'OFF', is: 0 },
  { name: 'cache_size', set: '-16000', is: -16_000 },
  { name: 'busy_timeout', set: '0', is: 0 },
  { name: 'wal_autocheckpoint', set: '2000', is: 2_000 },
  { name: 'journal_size_limit', set: '67108864', is: 67_108_864 },
];
/** Another process may be switching the file to WAL, or closing it as the last one. */
const BUSY_ATTEMPTS_MAX = 1_000;
const BUSY_REST_MS = 2;

export function prepareConnection(connection: Connection, home: string): void {
  for (const { name, set, is } of REQUIRED) {
    patiently(() => connection.pragma(`${name} = ${set}`));
    const got = patiently(() => connection.pragma(name));
    if (got !== is) throw new BatonError('STORE_DRIVER', `SQLite keeps ${name} at ${got} instead of ${set}`, { home });
  }
}

/** For the short locks of opening and closing. Blocks the thread. */
export function patiently<T>(work: () => T): T {
  const resting = new Int32Array(new SharedArrayBuffer(4));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (failure) {
      if (!isBusy(failure) || attempt >= BUSY_ATTEMPTS_MAX) throw failure;
      Atomics.wait(resting, 0, 0, BUSY_REST_MS);
    }
  }
}
