import type { Ledger, LedgerBoard, WorklogEntry } from './ledger-resources.js';
import type { Wire } from './wire.js';

const at = (run: string, part = ''): string => `/api/v1/ledgers/${encodeURIComponent(run)}${part}`;

/** Runs of the operator, to look at. */
export function ledgersAt(wire: Wire) {
  return {
    get: (run: string) => wire.get<Ledger>(at(run)),
    board: (run: string) => wire.get<LedgerBoard>(at(run, '/board')),
    /** Of one task, or of all. */
    worklog: (run: string, task?: string) =>
      wire.get<{ items: readonly WorklogEntry[] }>(at(run, '/worklog'), { task }),
  };
}
