import type { Signer } from '../engine/audit/signer.js';
import type { Machines } from '../engine/machines.js';
import type { Clock, EventStore, Hasher, Ids } from '../engine/ports.js';
import type { Scrub } from '../engine/scrub.js';
import type { Parsed } from './command.js';
import type { Io } from './io.js';

/** A home folder with everything in it opened. Made by wiring, which knows the adapters; commands only use it. */
export type Home = {
  folder: string;
  /** False where nothing was ever written: the store is then an empty one that leaves no trace. */
  stored: boolean;
  store: EventStore;
  clock: Clock;
  ids: Ids;
  hasher: Hasher;
  signer: Signer;
  scrub: Scrub;
  machines: Machines;
  close(): Promise<void>;
};

export type OpenHome = () => Promise<Home>;
export type HomeCommand = (parsed: Parsed, io: Io, open: OpenHome) => Promise<number>;

/** Closed whatever happens inside. */
export async function inHome<T>(open: OpenHome, work: (home: Home) => Promise<T>): Promise<T> {
  const home = await open();
  try {
    return await work(home);
  } finally {
    await home.close();
  }
}
