import type { Finding } from '../../contracts/api/audit-shapes.js';
import { eventHash, GENESIS } from '../chain.js';
import type { EventRow, Hash, Hasher, RunId } from '../ports.js';
import type { Report } from './finding.js';
import { Sightings } from './likely-column.js';

/** How far a run's chain was followed. */
export type Link = {
  version: number;
  head: Hash;
  /** What the last event's hash should be, when another one is stored. */
  rightHead?: Hash;
  /** That event's finding: what comes later may show that it was the hash that was changed. */
  suspect?: Finding;
  firstPosition: number;
  lastPosition: number;
};

/** What was made of one event. `rightHash` only when the stored one does not follow from its columns. */
export type Judged = { rightHash?: Hash; suspect?: Finding };

const NOT_BEGUN: Link = { version: 0, head: GENESIS, firstPosition: 0, lastPosition: 0 };

/** Follows the chain of every run at once, in the order of the journal. */
export class RunChains {
  readonly links = new Map<RunId, Link>();
  private readonly hasher: Hasher;
  private readonly report: Report;
  private readonly sightings = new Sightings();

  constructor(hasher: Hasher, report: Report) {
    this.hasher = hasher;
    this.report = report;
  }

  accept(row: EventRow): Judged {
    const link = this.links.get(row.run) ?? NOT_BEGUN;
    const judged = row.seq === link.version + 1 ? this.judgeNext(row, link) : this.judgeStray(row, link);
    this.sightings.add(row);
    return judged;
  }

  private judgeNext(row: EventRow, link: Link): Judged {
    if (this.follows(link, row)) {
      this.advance(row.run, link, row);
      return {};
    }
    const owner = this.findOwner(row);
    if (owner) return this.moved(row, owner);
    const column = this.sightings.likelyColumn(this.hasher, link.head, row);
    const suspect = place(row, 'event-altered', `event ${row.seq} of ${row.run} does not have the hash it was given`);
    if (column) suspect.column = column;
    const rightHash = eventHash(this.hasher, link.head, row);
    this.report(suspect);
    this.advance(row.run, link, row, { rightHead: rightHash, suspect });
    return { rightHash, suspect };
  }

  /** Its number is not the next one: the number, the run or the place was changed, or events are gone. */
  private judgeStray(row: EventRow, link: Link): Judged {
    const due = link.version + 1;
    if (this.follows(link, { ...row, seq: due })) {
      const says = `event ${due} of ${row.run} has the number ${row.seq}`;
      this.report({ ...place(row, 'event-altered', says), seq: due, column: 'seq' });
      this.advance(row.run, link, { ...row, seq: due });
      return {};
    }
    const owner = this.findOwner(row);
    if (owner) return this.moved(row, owner);
    if (row.seq < due) {
      this.report(place(row, 'event-misplaced', `event ${row.seq} of ${row.run} stands behind event ${link.version}`));
      return {};
    }
    const gone = row.seq - 1 === due ? `event ${due}` : `events ${due} to ${row.seq - 1}`;
    const says = `${gone} of ${row.run} should stand before event ${row.seq}`;
    this.report({ ...place(row, 'event-missing', says), seq: due });
    this.advance(row.run, link, row);
    return {};
  }

  /** The run this event belongs to by its hash, when it is not the one it names. */
  private findOwner(row: EventRow): RunId | undefined {
    for (const [run, link] of this.links) {
      if (run !== row.run && link.version + 1 === row.seq && this.follows(link, { ...row, run })) return run;
    }
    return undefined;
  }

  private moved(row: EventRow, owner: RunId): Judged {
    const says = `event ${row.seq} of ${owner} names the run ${row.run}`;
    this.report({ ...place(row, 'event-altered', says), run_id: owner, column: 'run_id' });
    this.advance(owner, this.links.get(owner) ?? NOT_BEGUN, row);
    return {};
  }

  private follows(link: Link, row: EventRow): boolean {
    if (eventHash(this.hasher, link.head, row) === row.hash) return true;
    if (link.rightHead === undefined || eventHash(this.hasher, link.rightHead, row) !== row.hash) return false;
    if (link.suspect) link.suspect.column = 'hash';
    return true;
  }

  private advance(run: RunId, from: Link, row: EventRow, doubt?: { rightHead: Hash; suspect: Finding }): void {
    this.links.set(run, {
      version: row.seq,
      head: row.hash,
      firstPosition: from.firstPosition || row.position,
      lastPosition: row.position,
      ...doubt,
    });
  }
}

function place({ run, seq, position }: EventRow, kind: Finding['kind'], says: string): Finding {
  return { kind, says: `${says} (position ${position})`, run_id: run, seq, position };
}
