import { eventHash } from '../chain.js';
import type { EventRow, Hash, Hasher } from '../ports.js';

const VALUES_MAX = 64;
const COLUMNS = ['type', 'at', 'actor', 'key', 'epoch'] as const;
type Column = (typeof COLUMNS)[number];

/**
 * The values last seen in each column. A column whose value was replaced can be told when putting one of these back
 * gives the recorded hash.
 */
export class Sightings {
  private readonly values: Record<Column, Set<EventRow[Column]>> = {
    type: new Set(),
    at: new Set(),
    actor: new Set(),
    key: new Set([null]),
    epoch: new Set([null]),
  };

  add(row: EventRow): void {
    for (const column of COLUMNS) {
      const seen = this.values[column];
      seen.delete(row[column]);
      seen.add(row[column]);
      if (seen.size > VALUES_MAX) seen.delete(seen.values().next().value as EventRow[Column]);
    }
  }

  likelyColumn(hasher: Hasher, previous: Hash, row: EventRow): string | undefined {
    const changed = COLUMNS.find((column) =>
      [...this.values[column]].some((value) => eventHash(hasher, previous, { ...row, [column]: value }) === row.hash),
    );
    return changed ?? this.implausibleColumn(row);
  }

  /** The one column whose value was never seen; when all were, the one whose values are always new. */
  private implausibleColumn(row: EventRow): string | undefined {
    if (!isJson(row.data)) return 'data';
    const strange = COLUMNS.filter((column) => !this.values[column].has(row[column]) && !this.isLater(column, row));
    return strange.length > 1 ? undefined : (strange[0] ?? 'data');
  }

  private isLater(column: Column, { at }: EventRow): boolean {
    return column === 'at' && [...this.values.at].every((seen) => seen !== null && seen <= at);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
