import type { Baton } from '../engine/opened-baton.js';
import type { Parsed } from './command.js';
import type { Io } from './io.js';

/** `drives`: starts the engine, so that this process can own runs. `handoffsMax`: asks so many times and no more. */
export type OpenBaton = (how?: { drives?: boolean; claimsAny?: boolean; handoffsMax?: number }) => Promise<Baton>;
export type BatonCommand = (parsed: Parsed, io: Io, open: OpenBaton) => Promise<number>;

/** Closed whatever happens inside. */
export async function inBaton<T>(
  open: OpenBaton,
  how: Parameters<OpenBaton>[0],
  work: (baton: Baton) => Promise<T>,
): Promise<T> {
  const baton = await open(how);
  try {
    return await work(baton);
  } finally {
    await baton.close();
  }
}
