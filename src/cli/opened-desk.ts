import type { Desk, Looking } from '../engine/desk.js';
import type { Parsed } from './command.js';
import type { Io } from './io.js';

/**
 * `drives`: runs are moved on while it is open. `handoffsMax`: asks so many times and no more. `claimsAny`: takes
 * whatever is due; only in a process of this machine.
 */
export type OpenDesk = (how?: How) => Promise<Desk>;
/** `here`: in this process although there is a server of the same home. */
type How = { drives?: boolean; claimsAny?: boolean; handoffsMax?: number; here?: boolean };
/** A command that works where Baton is opened in this process and through its server alike. */
export type DeskCommand = (parsed: Parsed, io: Io, open: OpenDesk) => Promise<number>;

export type OpenLooking = () => Promise<Looking>;
/** The same, for commands that only look at runs. */
export type LookingCommand = (parsed: Parsed, io: Io, open: OpenLooking) => Promise<number>;

/** Closed whatever happens inside. */
export function atDesk<T>(open: OpenDesk, how: Parameters<OpenDesk>[0], work: (desk: Desk) => Promise<T>): Promise<T> {
  return whileOpen(open(how), work);
}

export function whileLooking<T>(open: OpenLooking, work: (looking: Looking) => Promise<T>): Promise<T> {
  return whileOpen(open(), work);
}

async function whileOpen<Opened extends { close(): Promise<void> }, T>(
  opening: Promise<Opened>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const opened = await opening;
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
