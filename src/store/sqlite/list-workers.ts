import type { RunId, WorkerId, WorkerRow } from '../../engine/ports.js';
import type { Connection } from './connection.js';

const WORKERS_MAX = 1_000;
const LEASES_MAX = 10_000;
const WORKERS = 'SELECT id AS worker, host, beat FROM worker ORDER BY id LIMIT ?';
const LEASES = 'SELECT owner, run_id AS run, epoch FROM run WHERE owner IS NOT NULL ORDER BY owner, id LIMIT ?';

type Worker = { worker: WorkerId; host: string; beat: number };
type Lease = { owner: WorkerId; run: RunId; epoch: number };

/** Whoever is enlisted, and whoever is gone and still has runs in its name. */
export function listWorkers(connection: Connection): WorkerRow[] {
  const rows = new Map<WorkerId, WorkerRow & { leases: { run: RunId; epoch: number }[] }>();
  for (const { worker, host, beat } of connection.all<Worker>(WORKERS, WORKERS_MAX)) {
    rows.set(worker, { worker, host, beat, leases: [] });
  }
  for (const { owner, run, epoch } of connection.all<Lease>(LEASES, LEASES_MAX)) {
    const row = rows.get(owner) ?? { worker: owner, host: null, beat: null, leases: [] };
    row.leases.push({ run, epoch });
    rows.set(owner, row);
  }
  return [...rows.values()].sort((one, other) => (one.worker < other.worker ? -1 : 1));
}
