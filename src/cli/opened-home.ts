import type { Home } from '../engine/opened-home.js';
import type { Parsed } from './command.js';
import type { Io } from './io.js';

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
