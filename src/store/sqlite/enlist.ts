import { BatonError } from '../../contracts/shared/errors.js';
import type { Operation } from './write-operations.js';

/** Goes up when workers of two releases can no longer drive the runs of one store side by side. */
export const WORKER_FORM = '1';
const WORKERS_LOOKED_AT_MAX = 1_000;
const OTHERS = 'SELECT id, release FROM worker WHERE id <> ? ORDER BY id LIMIT ?';
const ENLIST = `INSERT INTO worker (id, host, release, beat) VALUES (?, ?, ?, 0)
  ON CONFLICT (id) DO UPDATE SET host = excluded.host, release = excluded.release`;

/** Prepared are the dead ones, whose rows and locks are cleared away. */
export const enlist: Operation<'enlist', string[]> = {
  /** The lock comes first: a worker that can be seen in the table is alive or was. */
  prepare({ connection, locks, home }, { worker, host }) {
    locks.take(worker, host);
    const others = connection.all<{ id: string; release: string }>(OTHERS, worker, WORKERS_LOOKED_AT_MAX);
    const isDead = new Map(others.map(({ id }) => [id, locks.isDead(id)]));
    const workers = others.filter(({ id, release }) => release !== WORKER_FORM && !isDead.get(id)).map(({ id }) => id);
    if (workers.length > 0) {
      locks.remove(worker);
      throw new BatonError('STORE_MIXED', `${workers.join(', ')} of another release is alive`, { home, workers });
    }
    return others.map(({ id }) => id).filter((id) => isDead.get(id));
  },
  apply({ connection }, { worker, host }, dead) {
    connection.run(ENLIST, worker, host, WORKER_FORM);
    for (const id of dead) connection.run('DELETE FROM worker WHERE id = ?', id);
    return null;
  },
  settle({ locks }, _, dead) {
    for (const id of dead) locks.remove(id);
  },
};
