import { useCallback, useEffect, useRef, useState } from 'react';
import type { LedgerBoard } from '../../client/index.js';
import { client } from '../live/client.js';
import { useChangedRuns } from '../live/use-changed-runs.js';

/** Heartbeats are no events: while somebody works they are looked at now and then. */
const BEAT_LOOK_MS = 5_000;
/** Reading a long ledger takes its time: it rests for so many times as long, so that the page stays quick. */
const REST_TIMES = 4;
const REST_MS_MAX = 5_000;
const LONG_TASKS = 1_000;
const LONG_LOOK_MS = 20_000;
const BEATS_KEPT_MAX = 60;

export type LoadedBoard = {
  board: LedgerBoard | null;
  /** How often it was read. */
  version: number;
  error: Error | null;
  /** Heartbeats seen since the page was opened, by task. */
  beats: ReadonlyMap<string, readonly string[]>;
  again(): void;
};

/** The board as it is; read anew when the run or one of its attempts has changed, at most twice a second. */
export function useLedger(run: string): LoadedBoard {
  const [state, setState] = useState<{ board: LedgerBoard | null; version: number; error: Error | null }>({
    ...{ board: null, version: 0, error: null },
  });
  const beats = useRef(new Map<string, string[]>());
  const tookMs = useRef(0);
  const read = useCallback(async (): Promise<void> => {
    const begunMs = performance.now();
    try {
      const board = await client.ledgers.board(run);
      tookMs.current = performance.now() - begunMs;
      keepBeats(beats.current, board);
      setState(({ version }) => ({ board, version: version + 1, error: null }));
    } catch (error) {
      setState((before) => ({ ...before, error: error as Error }));
      throw error;
    }
  }, [run]);
  const again = useCallback(() => void read().catch(() => {}), [read]);
  useEffect(again, [again]);
  useChangedRuns(async (runs) => {
    if (!runs.some((one) => isOf(run, one))) return;
    await read();
    await new Promise((resolve) => setTimeout(resolve, Math.min(REST_MS_MAX, tookMs.current * REST_TIMES)));
  });
  const atWork = state.board?.rows.some(({ heartbeat_at }) => heartbeat_at !== null) ?? false;
  const isLong = (state.board?.rows.length ?? 0) > LONG_TASKS;
  useEffect(() => {
    if (!atWork) return;
    const timer = setInterval(again, isLong ? LONG_LOOK_MS : BEAT_LOOK_MS);
    return () => clearInterval(timer);
  }, [atWork, isLong, again]);
  return { ...state, beats: beats.current, again };
}

/** Attempts are runs of their own, named after the ledger. */
function isOf(run: string, changed: string): boolean {
  return changed === run || changed.startsWith(`${run}.`);
}

function keepBeats(beats: Map<string, string[]>, { rows }: LedgerBoard): void {
  for (const { task_id, heartbeat_at } of rows) {
    if (heartbeat_at === null) {
      beats.delete(task_id);
      continue;
    }
    const known = beats.get(task_id) ?? [];
    if (known.at(-1) !== heartbeat_at) beats.set(task_id, [...known, heartbeat_at].slice(-BEATS_KEPT_MAX));
  }
}
