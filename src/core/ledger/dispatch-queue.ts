import { LockTable } from './lock-table.js';
import { ScopeIndex } from './scope-index.js';
import { PRIORITIES, type Priority } from './task-status.js';

/** A task that could be begun, but for paths that others have. */
export type Ready = { task: string; priority: Priority; scope: readonly string[]; serial: boolean };

/** Tasks that want the same paths: only one of them can have them, so they are looked at as one. */
type Group = {
  key: string;
  scope: readonly string[];
  /** By priority, each in the order in which they became ready. */
  waiting: readonly Set<string>[];
  /** The task at work that has something of the paths. */
  behind: string | null;
};

/** Who runs alone has everything. */
const EVERYTHING = ['.'];

/**
 * Which task is next. Groups that stand behind a task at work are not looked at until it lets its paths go, so that
 * ten thousand tasks take ten thousand times what one takes.
 */
export class DispatchQueue {
  private readonly busy = new LockTable();
  private readonly groups = new Map<string, Group>();
  private readonly groupOf = new Map<string, { group: Group; rank: number; arrival: number }>();
  /** Groups that stand behind nobody, by priority, those that were served longest ago first. */
  private readonly free: readonly Set<Group>[] = PRIORITIES.map(() => new Set<Group>());
  private readonly freeByPath = new ScopeIndex<Group>();
  private readonly behind = new Map<string, Set<Group>>();
  private readonly serials = new Set<string>();
  private arrivals = 0;

  get size(): number {
    return this.groupOf.size;
  }

  /** All of them, in the order in which they came. */
  waiting(): string[] {
    return [...this.groupOf.keys()];
  }

  add({ task, priority, scope, serial }: Ready): void {
    const wanted = serial ? EVERYTHING : scope;
    const group = this.groupFor(wanted);
    const rank = PRIORITIES.indexOf(priority);
    const wasEmpty = isEmpty(group);
    this.arrivals += 1;
    this.groupOf.set(task, { group, rank, arrival: this.arrivals });
    if (serial) this.serials.add(task);
    group.waiting[rank]?.add(task);
    if (wasEmpty) this.place(group);
    else if (group.behind === null) this.free[rank]?.add(group);
  }

  /** It was begun, or will not be. */
  remove(task: string): void {
    const found = this.groupOf.get(task);
    if (!found) return;
    const { group, rank } = found;
    this.groupOf.delete(task);
    this.serials.delete(task);
    group.waiting[rank]?.delete(task);
    if (group.waiting[rank]?.size === 0) this.free[rank]?.delete(group);
    if (isEmpty(group)) this.drop(group);
  }

  /** A task works now and has these paths. */
  begun({ task, scope, serial }: Omit<Ready, 'priority'>): void {
    const wanted = serial ? EVERYTHING : scope;
    this.busy.take(task, wanted);
    for (const group of this.freeByPath.overlapping(wanted)) this.park(group, task);
  }

  /** It works no more; whoever stood behind it may be free, or stands behind somebody else. */
  ended(task: string): void {
    this.busy.release(task);
    const waiting = this.behind.get(task);
    this.behind.delete(task);
    for (const group of waiting ?? []) this.place(group);
  }

  /** Up to so many that can be begun together, the most urgent first. */
  next(max: number): string[] {
    const chosen: string[] = [];
    const together = new LockTable();
    const alone = this.oldestSerial();
    for (const [rank, groups] of this.free.entries()) {
      for (const group of groups) {
        if (chosen.length >= max) return chosen;
        const [task] = group.waiting[rank] ?? [];
        if (task === undefined || together.conflict(task, group.scope)) continue;
        // Whoever must run alone would wait for ever if others always came before.
        if (alone && task !== alone.task && this.comesAfter(task, alone)) continue;
        together.take(task, group.scope);
        chosen.push(task);
      }
    }
    return chosen;
  }

  private oldestSerial(): { task: string; rank: number; arrival: number } | undefined {
    const [task] = this.serials;
    const found = task === undefined ? undefined : this.groupOf.get(task);
    return task !== undefined && found ? { task, rank: found.rank, arrival: found.arrival } : undefined;
  }

  private comesAfter(task: string, alone: { rank: number; arrival: number }): boolean {
    const { rank, arrival } = this.groupOf.get(task) ?? { rank: 0, arrival: 0 };
    return rank >= alone.rank && arrival > alone.arrival;
  }

  private groupFor(scope: readonly string[]): Group {
    const key = JSON.stringify([...scope].sort());
    const known = this.groups.get(key);
    if (known) return known;
    const made: Group = { key, scope, waiting: PRIORITIES.map(() => new Set<string>()), behind: null };
    this.groups.set(key, made);
    return made;
  }

  /** Among the free ones, or behind whoever has something of its paths. */
  private place(group: Group): void {
    const conflict = this.busy.conflict('', group.scope);
    if (conflict) {
      this.standBehind(group, conflict.with.task);
      return;
    }
    group.behind = null;
    this.freeByPath.add(group, group.scope);
    for (const [rank, waiting] of group.waiting.entries()) if (waiting.size > 0) this.free[rank]?.add(group);
  }

  private park(group: Group, task: string): void {
    this.freeByPath.delete(group, group.scope);
    for (const groups of this.free) groups.delete(group);
    this.standBehind(group, task);
  }

  private standBehind(group: Group, task: string): void {
    group.behind = task;
    const others = this.behind.get(task) ?? new Set();
    this.behind.set(task, others.add(group));
  }

  private drop(group: Group): void {
    this.groups.delete(group.key);
    if (group.behind === null) this.freeByPath.delete(group, group.scope);
    else this.behind.get(group.behind)?.delete(group);
  }
}

function isEmpty({ waiting }: Group): boolean {
  return waiting.every((tasks) => tasks.size === 0);
}
