import type { Machine, Machines } from '../machines.js';
import type { EventStore, InboxRow, RunId, RunRow } from '../ports.js';
import { FoldedLists, type FoldedQuestion } from './fold-run.js';

const PAGE = 500;
/** A run that moves on while it is compared is compared again. */
const TRIES_MAX = 3;
export const DIFFERENCES_MAX = 100;

/** One value of a list that does not follow from the events. Goes out as it is, in `details.differences`. */
export type Difference = {
  list: 'run' | 'inbox';
  run_id: RunId;
  /** The number of the inbox item. */
  item?: number;
  field: string;
  stored: unknown;
  rebuilt: unknown;
};

export type Rebuilt = {
  ok: boolean;
  runs: number;
  questions: number;
  differences: readonly Difference[];
  /** There are more than are listed. */
  more: boolean;
  /** Kinds no machine here can fold, with how many runs they have: nothing is said about these. */
  unknown_kinds: Readonly<Record<string, number>>;
};

type Source = Pick<EventStore, 'runs' | 'run' | 'events' | 'inbox'>;

/** Folds every run anew, one at a time, and compares the lists with what comes out. */
export async function rebuildAndCompare(store: Source, machines: Machines): Promise<Rebuilt> {
  const comparing = new Comparison(store, machines);
  await comparing.runs();
  return comparing.result();
}

class Comparison {
  private readonly differences: Difference[] = [];
  private readonly unknownKinds: Record<string, number> = {};
  private readonly seen = new Set<RunId>();
  private count = 0;
  private questions = 0;
  private readonly store: Source;
  private readonly machines: Machines;

  constructor(store: Source, machines: Machines) {
    this.store = store;
    this.machines = machines;
  }

  async runs(): Promise<void> {
    const stored = await this.inboxByRun();
    for (const items of stored.values()) this.questions += items.length;
    let after: string | undefined;
    do {
      const page = await this.store.runs({ parts: true, limit: PAGE, ...(after !== undefined && { after }) });
      for (const row of page.items) await this.one(row, stored.get(row.run) ?? []);
      after = page.next ?? undefined;
    } while (after !== undefined);
    for (const [run, items] of stored) {
      if (this.seen.has(run)) continue;
      const orphan = { list: 'inbox', run_id: run, field: 'run', stored: run, rebuilt: null } as const;
      this.differences.push(...items.map(({ item }) => ({ ...orphan, item })));
    }
  }

  result(): Rebuilt {
    return {
      ok: this.differences.length === 0,
      runs: this.count,
      questions: this.questions,
      differences: this.differences.slice(0, DIFFERENCES_MAX),
      more: this.differences.length > DIFFERENCES_MAX,
      unknown_kinds: this.unknownKinds,
    };
  }

  private async inboxByRun(): Promise<Map<RunId, InboxRow[]>> {
    const byRun = new Map<RunId, InboxRow[]>();
    for (let after = 0; ; ) {
      const rows = await this.store.inbox({ open: false, after, limit: PAGE });
      for (const row of rows) byRun.set(row.run, [...(byRun.get(row.run) ?? []), row]);
      const last = rows.at(-1);
      if (!last) return byRun;
      after = last.item;
    }
  }

  private async one(row: RunRow, items: readonly InboxRow[]): Promise<void> {
    this.seen.add(row.run);
    const machine = this.find(row.kind);
    if (!machine) {
      this.unknownKinds[row.kind] = (this.unknownKinds[row.kind] ?? 0) + 1;
      return;
    }
    this.count += 1;
    let now = row;
    let stored = items;
    for (let tries = 1; ; tries += 1) {
      const found = await this.compare(machine, now, stored);
      const later = found.length > 0 && tries < TRIES_MAX ? await this.store.run(row.run) : undefined;
      if (!later || later.version === now.version) {
        this.differences.push(...found);
        return;
      }
      now = later;
      stored = (await this.inboxByRun()).get(row.run) ?? [];
    }
  }

  private async compare(machine: Machine, row: RunRow, items: readonly InboxRow[]): Promise<Difference[]> {
    const lists = new FoldedLists(row.run, machine);
    try {
      await this.fold(lists, row);
      return [...rowDifferences(row, lists), ...inboxDifferences(row.run, items, lists.questions)];
    } catch (problem) {
      const rebuilt = problem instanceof Error ? problem.message : String(problem);
      return [{ list: 'run', run_id: row.run, field: 'version', stored: row.version, rebuilt }];
    }
  }

  private async fold(lists: FoldedLists, { run, version }: RunRow): Promise<void> {
    for (let seq = 0; seq < version; ) {
      const rows = await this.store.events(run, seq, Math.min(PAGE, version - seq));
      const last = rows.at(-1);
      if (!last) throw new Error(`its events end at ${seq}`);
      for (const event of rows) lists.add(event);
      seq = last.seq;
    }
  }

  private find(kind: string): Machine | undefined {
    try {
      return this.machines.get(kind);
    } catch {
      return undefined; // a kind of another release, or of an adapter that is not there
    }
  }
}

/** Everything in the row that follows from events. Who owns a run does not. */
function rowDifferences(row: RunRow, lists: FoldedLists): Difference[] {
  const { text: _, ...summary } = lists.summary;
  const rebuilt = { ...summary, createdAt: lists.createdAt, updatedAt: lists.updatedAt };
  return differing(row, rebuilt).map((found) => ({ list: 'run', run_id: row.run, ...found }));
}

/** Items of one run are asked in order, so the stored and the rebuilt ones are compared one by one. */
function inboxDifferences(
  run_id: RunId,
  items: readonly InboxRow[],
  questions: readonly FoldedQuestion[],
): Difference[] {
  const count = Math.max(items.length, questions.length);
  return Array.from({ length: count }, (_, index) => ({ item: items[index], question: questions[index] })).flatMap(
    ({ item, question }): Difference[] => {
      const place = { list: 'inbox', run_id, ...(item && { item: item.item }) } as const;
      if (item && question) return differing(item, question).map((found) => ({ ...place, ...found }));
      return [{ ...place, field: 'key', stored: item?.key ?? null, rebuilt: question?.key ?? null }];
    },
  );
}

function differing(stored: object, rebuilt: object): Pick<Difference, 'field' | 'stored' | 'rebuilt'>[] {
  const values = stored as Readonly<Record<string, unknown>>;
  return Object.entries(rebuilt).flatMap(([field, value]) =>
    values[field] === value ? [] : [{ field, stored: values[field] ?? null, rebuilt: value }],
  );
}
