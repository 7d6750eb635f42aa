import { carriesMarker, type MarkerTarget } from './process-marker.js';
import type { ProcessInfo } from './process-source.js';

export type Root = Pick<ProcessInfo, 'pid' | 'started' | 'order'>;

/**
 * Which processes belong together, told from snapshots of the process list.
 *
 * T1. A process belongs when it was seen to belong before (same pid AND same start), when its parent belongs, when it
 *     is in a session that one of them leads, or when its environment carries the marker. Once seen it stays a member,
 *     also after its parent died and it was given to another.
 * T2. This process and its ancestors never belong, whatever they carry; nothing belongs merely for being their child.
 * T3. A session's number is only trusted while the session was seen alive: an empty one is forgotten, because its
 *     number may be given to a stranger.
 */
export class ProcessTree {
  readonly target: MarkerTarget;
  readonly #self: number;
  /** Nothing of a single spawn is older than its root, so older environments need not be read. */
  readonly #oldest: number;
  #members: Map<number, string>;
  readonly #sessions: Map<number, { leader: string; emptyScans: number }>;

  /** Roots lead their own sessions: the gate starts each process in one. */
  constructor(target: MarkerTarget, roots: readonly Root[], self = process.pid) {
    this.target = target;
    this.#self = self;
    const known = target.spawn !== undefined && roots.length > 0;
    this.#oldest = known ? Math.min(...roots.map(({ order }) => order)) : 0;
    this.#members = new Map(roots.map(({ pid, started }) => [pid, started]));
    this.#sessions = new Map(roots.map(({ pid, started }) => [pid, { leader: started, emptyScans: 0 }]));
  }

  /** Takes over what another tree has seen. */
  absorb(other: ProcessTree): void {
    for (const [pid, started] of other.#members) this.#members.set(pid, started);
    for (const [session, seen] of other.#sessions) this.#sessions.set(session, { ...seen });
  }

  /** Who belongs now, zombies left out. Without `environOf` only kinship is looked at, which is cheap. */
  members(snapshot: readonly ProcessInfo[], environOf?: (pid: number) => string | null): ProcessInfo[] {
    const untouchable = ancestors(snapshot, this.#self);
    const candidates = snapshot.filter(({ pid }) => !untouchable.has(pid));
    const childrenOf = grouped(candidates, ({ ppid }) => ppid);
    const inSession = grouped(candidates, ({ session }) => session);
    this.#forgetEmptySessions(inSession);

    const belonging = new Map<number, ProcessInfo>();
    const queue = candidates.filter((one) => this.#isKnown(one) || this.#isMarked(one, environOf));
    for (let one = queue.pop(); one; one = queue.pop()) {
      if (belonging.has(one.pid)) continue;
      belonging.set(one.pid, one);
      const { pid, order } = one;
      // A child cannot be older than its parent; if it is, the parent's number was given away during the scan.
      queue.push(...(childrenOf.get(pid) ?? []).filter((child) => child.order >= order));
      if (one.session !== pid) continue;
      this.#sessions.set(pid, { leader: one.started, emptyScans: 0 });
      queue.push(...(inSession.get(pid) ?? []));
    }
    this.#members = new Map([...belonging.values()].map(({ pid, started }) => [pid, started]));
    return [...belonging.values()].filter(({ zombie }) => !zombie);
  }

  has({ pid, started }: ProcessInfo): boolean {
    return this.#members.get(pid) === started;
  }

  /** All groups of such a session are ours: a group never reaches beyond its session. */
  leads(session: number): boolean {
    return this.#sessions.has(session);
  }

  get sessions(): number[] {
    return [...this.#sessions.keys()];
  }

  #isKnown(one: ProcessInfo): boolean {
    return this.has(one) || this.leads(one.session);
  }

  #isMarked({ pid, zombie, order }: ProcessInfo, environOf?: (pid: number) => string | null): boolean {
    if (!environOf || zombie || order < this.#oldest) return false;
    const environ = environOf(pid);
    return environ !== null && carriesMarker(environ, this.target);
  }

  #forgetEmptySessions(inSession: ReadonlyMap<number, readonly ProcessInfo[]>): void {
    for (const [session, seen] of this.#sessions) {
      const now = inSession.get(session) ?? [];
      const leader = now.find(({ pid }) => pid === session);
      seen.emptyScans = now.length === 0 ? seen.emptyScans + 1 : 0;
      const givenAway = leader !== undefined && leader.started !== seen.leader;
      if (givenAway || seen.emptyScans >= SESSION_EMPTY_SCANS_MAX) this.#sessions.delete(session);
    }
  }
}

/** More than one, because a process that forks while the list is read may be missing from it. */
const SESSION_EMPTY_SCANS_MAX = 3;

function grouped(all: readonly ProcessInfo[], by: (one: ProcessInfo) => number): Map<number, ProcessInfo[]> {
  const groups = new Map<number, ProcessInfo[]>();
  for (const one of all) {
    const group = groups.get(by(one));
    if (group) group.push(one);
    else groups.set(by(one), [one]);
  }
  return groups;
}

/** The process itself and everything above it. */
function ancestors(snapshot: readonly ProcessInfo[], self: number): Set<number> {
  const parentOf = new Map(snapshot.map(({ pid, ppid }) => [pid, ppid]));
  const found = new Set<number>([0, 1]);
  for (let pid: number | undefined = self; pid !== undefined && !found.has(pid); pid = parentOf.get(pid))
    found.add(pid);
  return found;
}
