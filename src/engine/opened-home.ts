import type { CostKey, CostRow } from '../contracts/api/cost-shapes.js';
import type { Signer } from './audit/signer.js';
import type { Machines } from './machines.js';
import type { Clock, EventStore, Hasher, Ids } from './ports.js';
import type { Scrub } from './scrub.js';

/** A home folder with everything in it opened. Made by wiring, which knows the adapters; commands and routes only use it. */
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
  /** What all attempts have used, or those of the last days. */
  spent(by: CostKey, days?: number): Promise<CostRow[]>;
  /** The store as it is at one moment, as a file that must not be there yet. */
  copyStore(file: string): Promise<void>;
  close(): Promise<void>;
};
