import type { ErrandCommand } from '../../../src/core/errand/errand-messages.js';
import type { PlantedBug } from './planted-bugs.js';

/** What a program is told: the name of a file with this in it. Arguments and environments are searched for survivors. */
type Common = {
  home: string;
  /** Part of every run's name and of every agent's command line, so that whatever survives can be found by it. */
  token: string;
  /** Where the code of the store's writer thread is. */
  writerUrl: string;
  /** How many times faster than real time the programs live, from this moment on. */
  speed: number;
  originMs: number;
  planted: PlantedBug | null;
};

export type WorkerOrder = Common & { worker: string };

/** A command as it is sent: again with the same key until it is answered. */
export type Sent = { key: string; run: string; request?: string; command: ErrandCommand };

export type ClientOrder = Common & {
  seed: number;
  /** Number of the first new command. */
  from: number;
  /** Sent by an earlier client and never answered. */
  repeat: readonly Sent[];
  /** Runs that were acknowledged lately. */
  recent: readonly string[];
  /** `load` sends until it is told to stop, `finish` answers every question until all runs have ended. */
  part: 'load' | 'finish';
  /** Commands under way at once. */
  lanes: number;
  /** New errands wait while so many have not ended. */
  openMax: number;
  /** Between two commands of a lane. */
  paceMs: number;
};

export type AppenderOrder = Common & {
  writer: 'main' | 'thread';
  name: string;
  commands: number;
  lanes: number;
  /** Of the request of each command: large ones become files. */
  requestBytes: (number | null)[];
  /** Waits for a line on stdin before the first command. */
  waits: boolean;
};
