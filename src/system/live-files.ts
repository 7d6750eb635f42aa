import { createReadStream } from 'node:fs';
import { appendFile, mkdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../engine/ports.js';
import type { LiveRelay, PlacedPiece } from '../engine/session/live-text.js';

/** How often a process that streams looks whether anybody wants it, and how old the wish may be. */
const WANTED_LOOK_MS = 1_000;
const WANTED_MS_MAX = 5_000;
const FLUSH_MS = 40;
const READ_MS = 100;
const QUEUE_MAX = 2_000;

type Told = { lookedMs: number; isWanted: boolean; isLooking: boolean; lines: string[]; isFlushing: boolean };

/**
 * Pieces of one process for others on the same home, by files. Nobody waits for them and nothing depends on them: who
 * looks says so by a file, and only then anything is written.
 */
export class LiveFiles implements LiveRelay {
  private readonly folder: string;
  private readonly clock: Clock;
  private readonly told = new Map<string, Told>();

  constructor(home: string, clock: Clock) {
    this.folder = path.join(home, 'live');
    this.clock = clock;
  }

  tell(piece: PlacedPiece, soFar: () => readonly PlacedPiece[]): void {
    const { run } = piece;
    const told = this.told.get(run) ?? newTold();
    this.told.set(run, told);
    if (told.isWanted) this.put(run, told, [piece]);
    const nowMs = this.clock.monotonicMs();
    if (told.isLooking || nowMs - told.lookedMs < WANTED_LOOK_MS) return;
    told.lookedMs = nowMs;
    told.isLooking = true;
    void this.isWanted(run).then((isWanted) => {
      told.isLooking = false;
      if (isWanted && !told.isWanted && this.told.get(run) === told) this.put(run, told, soFar());
      told.isWanted = isWanted;
    });
  }

  over(run: string): void {
    const told = this.told.get(run);
    this.told.delete(run);
    if (told?.isWanted) void rm(this.fileOf(run), { force: true }).catch(() => {});
  }

  follow(run: string, call: (piece: PlacedPiece) => void): () => void {
    const want = this.wantOf(run);
    let [offset, rest, isOver, lookedMs] = [0, '', false, Number.NEGATIVE_INFINITY];
    let cancel = (): void => {};
    const look = async (): Promise<void> => {
      const nowMs = this.clock.monotonicMs();
      if (nowMs - lookedMs >= WANTED_LOOK_MS) {
        lookedMs = nowMs;
        await this.touch(want);
      }
      const { size = 0 } = (await stat(this.fileOf(run)).catch(() => undefined)) ?? {};
      if (size < offset) [offset, rest] = [0, ''];
      if (size > offset) {
        const text = await read(this.fileOf(run), offset, size);
        offset = size;
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (!isOver) tellLine(line, call);
      }
    };
    const again = (): void => {
      if (isOver) return;
      void look()
        .catch(() => {})
        .then(() => {
          if (!isOver) cancel = this.clock.after(READ_MS, again);
        });
    };
    again();
    return () => {
      isOver = true;
      cancel();
      void rm(want, { force: true }).catch(() => {});
    };
  }

  private put(run: string, told: Told, pieces: readonly PlacedPiece[]): void {
    for (const piece of pieces) if (told.lines.length < QUEUE_MAX) told.lines.push(`${JSON.stringify(piece)}\n`);
    if (told.isFlushing || told.lines.length === 0) return;
    told.isFlushing = true;
    this.clock.after(FLUSH_MS, () => {
      const text = told.lines.splice(0).join('');
      told.isFlushing = false;
      if (this.told.get(run) === told) void appendFile(this.fileOf(run), text, { mode: 0o600 }).catch(() => {});
    });
  }

  private async isWanted(run: string): Promise<boolean> {
    const wish = await stat(this.wantOf(run)).catch(() => undefined);
    return wish !== undefined && Math.abs(Date.now() - wish.mtimeMs) < WANTED_MS_MAX;
  }

  private async touch(file: string): Promise<void> {
    const now = new Date();
    await utimes(file, now, now).catch(async () => {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(file, '', { mode: 0o600 });
    });
  }

  private fileOf(run: string): string {
    return path.join(this.folder, `${run}.ndjson`);
  }

  private wantOf(run: string): string {
    return path.join(this.folder, `${run}.wanted`);
  }
}

function newTold(): Told {
  return { lookedMs: Number.NEGATIVE_INFINITY, isWanted: false, isLooking: false, lines: [], isFlushing: false };
}

/** A line that was cut by a new beginning of the file is left out. */
function tellLine(line: string, call: (piece: PlacedPiece) => void): void {
  try {
    call(JSON.parse(line) as PlacedPiece);
  } catch {
    // Whoever looks sees it whole when it is stored.
  }
}

async function read(file: string, start: number, end: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream(file, { start, end: end - 1 })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
