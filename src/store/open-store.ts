import { lstatSync } from 'node:fs';
import path from 'node:path';
import { BatonError } from '../contracts/shared/errors.js';
import type { Clock, EventStore, Hasher } from '../engine/ports.js';

type StoreOptions = { home: string; writer: 'main' | 'thread'; readOnly: boolean; stored: boolean };

/** The store of a home. One that has none yet is empty for whoever only reads. */
export async function openStore(
  { home, writer, readOnly, stored }: StoreOptions,
  { clock, hasher }: { clock: Clock; hasher: Hasher },
): Promise<EventStore> {
  if (!stored) {
    const [{ MemoryStore }, { MemoryJournal }] = await Promise.all([
      import('./memory/memory-store.js'),
      import('./memory/journal.js'),
    ]);
    return new MemoryStore(new MemoryJournal(hasher), clock);
  }
  if (readOnly) {
    const { openForReading } = await import('./sqlite/open-for-reading.js');
    return openForReading(home, clock.monotonicMs);
  }
  const { openSqliteStore } = await import('./sqlite/open.js');
  return openSqliteStore({ home, writer, monotonicMs: clock.monotonicMs });
}

export function hasStore(home: string): boolean {
  try {
    lstatSync(path.join(home, 'baton.db'));
    return true;
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    if (code === 'ENOENT') return false;
    throw new BatonError('HOME_UNUSABLE', `${home} cannot be looked into (${code})`, { home });
  }
}
