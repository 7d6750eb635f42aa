import type { Gate } from '../../src/sandbox/process-rows.js';

/** Lets so many processes run; the next one is killed while it runs, or never started, and none comes after it. */
export function mortalGate(gate: Gate, steps: number, killed: boolean): Gate {
  let started = 0;
  const add: Gate['table']['add'] = async (row, epoch) => {
    started += 1;
    if (started > steps + (killed ? 1 : 0)) throw new Error('dead');
    if (started > steps) {
      setTimeout(() => {
        try {
          process.kill(-row.pid, 'SIGKILL');
        } catch {
          // it was faster
        }
      }, 5);
    }
    return gate.table.add(row, epoch);
  };
  return { ...gate, table: { ...gate.table, add } };
}

/** Somebody else acts in the moment before this process runs. */
export function interruptedGate(gate: Gate, step: number, act: () => void): Gate {
  let started = 0;
  const add: Gate['table']['add'] = async (row, epoch) => {
    started += 1;
    if (started === step) act();
    return gate.table.add(row, epoch);
  };
  return { ...gate, table: { ...gate.table, add } };
}
