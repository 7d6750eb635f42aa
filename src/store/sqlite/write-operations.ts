import { appendGroup, type Transaction } from './append-group.js';
import { storeBodies } from './bodies.js';
import { claimRuns, findTakeable, type Liveness } from './claim-runs.js';
import type { Connection } from './connection.js';
import { enlist } from './enlist.js';
import type { WriteName, Writes } from './write-tasks.js';

export type WriteContext = { connection: Connection; home: string } & Liveness;

/** `prepare` runs before the transaction, `apply` inside it, `settle` after it is durable. */
export type Operation<Name extends WriteName, Prepared> = {
  prepare(context: WriteContext, args: Writes[Name]['args']): Prepared;
  apply(tx: Transaction, args: Writes[Name]['args'], prepared: Prepared): Writes[Name]['result'];
  settle?(context: WriteContext, args: Writes[Name]['args'], prepared: Prepared): void;
};

const append: Operation<'append', ReturnType<typeof storeBodies>> = {
  prepare: ({ connection, home }, group) => storeBodies(connection, home, group),
  apply: appendGroup,
};

const claim: Operation<'claim', ReturnType<typeof findTakeable>> = {
  prepare: (context, which) => findTakeable(context.connection, context, which),
  apply({ connection, known }, which, takeable) {
    const claims = claimRuns(connection, which, takeable);
    for (const { run } of claims) known.forget(run);
    return claims;
  },
};

const discharge: Operation<'discharge', null> = {
  prepare: () => null,
  apply({ connection }, { worker }) {
    connection.run('DELETE FROM worker WHERE id = ?', worker);
    return null;
  },
  settle: ({ locks }, { worker }) => locks.remove(worker),
};

const SAVE_SNAPSHOT = `INSERT INTO snapshot (run_id, version, machine_version, state)
  SELECT run_id, ?, ?, ? FROM run WHERE run_id = ? AND epoch = ? AND version >= ?
  ON CONFLICT (run_id) DO UPDATE
  SET version = excluded.version, machine_version = excluded.machine_version, state = excluded.state
  WHERE excluded.version >= snapshot.version`;

const saveSnapshot = statement<'saveSnapshot'>(({ connection }, { snapshot, epoch }) => {
  const { run, version, machineVersion, state } = snapshot;
  connection.run(SAVE_SNAPSHOT, version, machineVersion, state, run, epoch, version);
});

const release = statement<'release'>(({ connection, known }, { run, epoch }) => {
  known.forget(run);
  connection.run('UPDATE run SET owner = NULL, host = NULL WHERE run_id = ? AND epoch = ?', run, epoch);
});

const beat = statement<'beat'>(({ connection }, { worker }) => {
  connection.run('UPDATE worker SET beat = beat + 1 WHERE id = ?', worker);
});

const HEAR = `INSERT INTO beat (run_id, task_id, at) VALUES (?, ?, ?)
  ON CONFLICT (run_id, task_id) DO UPDATE SET at = excluded.at WHERE excluded.at > beat.at`;

const hear = statement<'hear'>(({ connection }, { run, task, at }) => {
  connection.run(HEAR, run, task, at);
});

const INSERT_PROCESS = `INSERT OR REPLACE INTO process (run_id, handoff, attempt, worker, pid, started, pid_namespace)
  SELECT run_id, ?, ?, ?, ?, ?, ? FROM run WHERE run_id = ? AND epoch = ? AND owner = ?`;

const addProcess: Operation<'addProcess', null> = {
  prepare: () => null,
  apply({ connection }, { run, epoch, handoff, attempt, worker, pid, started, pidNamespace }) {
    const row = [handoff, attempt, worker, pid, started, pidNamespace];
    return connection.run(INSERT_PROCESS, ...row, run, epoch, worker) === 1;
  },
};

const DELETE_PROCESS = 'DELETE FROM process WHERE run_id = ? AND handoff = ? AND attempt = ? AND pid = ?';

const removeProcess = statement<'removeProcess'>(({ connection }, { run, handoff, attempt, pid }) => {
  connection.run(DELETE_PROCESS, run, handoff, attempt, pid);
});

function statement<Name extends WriteName>(
  apply: (tx: Transaction, args: Writes[Name]['args']) => void,
): Operation<Name, null> {
  return {
    prepare: () => null,
    apply(tx, args) {
      apply(tx, args);
      return null as Writes[Name]['result'];
    },
  };
}

export const OPERATIONS = {
  append,
  claim,
  enlist,
  discharge,
  release,
  beat,
  hear,
  saveSnapshot,
  addProcess,
  removeProcess,
} as unknown as Readonly<Record<WriteName, Operation<WriteName, unknown>>>;
