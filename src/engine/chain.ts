import type { Hash, Hasher } from './ports.js';

/** What stands before a run's first event. */
export const GENESIS: Hash = '';

export type Hashed = {
  run: string;
  seq: number;
  type: string;
  at: string;
  actor: string;
  key: string | null;
  epoch: number | null;
  data: string;
};

/** Every column of a journal row but its position is in here; the position is covered by the batch it lies in. */
export function eventHash(hasher: Hasher, previous: Hash, event: Hashed): Hash {
  const { run, seq, type, at, actor, key, epoch, data } = event;
  return hasher.sha256(previous + JSON.stringify([run, seq, type, at, actor, key, epoch, data]));
}

/** A commit's place in the journal: the batches form a chain of their own. `digest` covers the hashes of its events. */
export function batchHash(hasher: Hasher, previous: Hash, firstPosition: number, events: number, digest: Hash): Hash {
  return hasher.sha256(`${previous}|${firstPosition}|${events}|${digest}`);
}

export function batchDigest(hasher: Hasher, eventHashes: readonly Hash[]): Hash {
  return hasher.sha256(eventHashes.join(''));
}
