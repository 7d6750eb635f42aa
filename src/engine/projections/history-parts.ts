import type { RunId } from '../ports.js';
import type { Files } from './file-writer.js';
import type { HistoryFiles } from './history-files.js';

/** One compressed piece of a history; as text it is a history of its own, with the interactions first to last. */
export type HistoryPart = {
  file: string;
  first: number;
  last: number;
  bytes: number;
  compressed_bytes: number;
  sha256: string;
};
/** jobHistory.index.json: the pieces in order. What comes behind the last of them is in jobHistory.json. */
type HistoryIndex = { job_id: string; created_at: string; parts: HistoryPart[] };

export const INDEX_FILE = 'jobHistory.index.json';

export function partName(first: number, last: number): string {
  const digits = (number: number) => String(number).padStart(6, '0');
  return `jobHistory.${digits(first)}-${digits(last)}.json.gz`;
}

/** The parts that can be relied on: of this very job, without a gap from 0, each there with its size. */
export async function readParts(
  { files, history }: { files: Files; history: HistoryFiles },
  folder: string,
  { job_id, created_at }: Omit<HistoryIndex, 'parts'>,
): Promise<HistoryPart[]> {
  const index = parse(await files.read(`${folder}/${INDEX_FILE}`));
  if (index?.job_id !== job_id || index.created_at !== created_at || !Array.isArray(index.parts)) return [];
  const sound: HistoryPart[] = [];
  for (const part of index.parts) {
    const isNext =
      part.first === endOf(sound) && part.last >= part.first && part.file === partName(part.first, part.last);
    if (!isNext || (await history.size(`${folder}/${part.file}`)) !== part.compressed_bytes) break;
    sound.push(part);
  }
  return sound;
}

export function indexText(run: RunId, created_at: string, parts: readonly HistoryPart[]): string {
  const index: HistoryIndex = { job_id: run, created_at, parts: [...parts] };
  return `${JSON.stringify(index, null, 2)}\n`;
}

/** The sequence that comes behind them. */
export function endOf(parts: readonly HistoryPart[]): number {
  return (parts.at(-1)?.last ?? -1) + 1;
}

function parse(bytes: Uint8Array | undefined): Partial<HistoryIndex> | undefined {
  if (!bytes) return undefined;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // damaged: the parts are written again from the store
  }
}
