import type { Io } from '../io.js';
import type { Probe } from './probe.js';

export type Status = 'ok' | 'problem' | 'warning' | 'absent';

export type Finding = {
  topic: string;
  status: Status;
  text: string;
  /** What to type, or to do, so that the next run finds it well. */
  fix?: string;
};

export type DoctorEnv = {
  probe: Probe;
  env: Io['env'];
  /** Baton's folder and the user's. */
  home: string;
  userHome: string;
};

export type Check = (env: DoctorEnv) => Promise<Finding[]>;
