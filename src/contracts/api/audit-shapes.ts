/** The journal is as it was written; where not, that is refused with what was found. */
export type Verified = { ok: true; runs: number; events: number; batches: number; position: number; hash: string };

/** Where the journal was at one moment, to be kept elsewhere: whoever rewrites the journal cannot rewrite this. */
export type SignedHead = {
  kind: 'baton-head';
  position: number;
  batch: number;
  /** Hash of that batch, which covers everything before it. */
  hash: string;
  events: number;
  runs: number;
  at: string;
  public_key: string;
  signature: string;
};

/** Something in the journal that is not as it was written, and where. Goes out as it is, in `details.findings`. */
export type Finding = {
  kind:
    | 'event-altered'
    | 'event-missing'
    | 'event-misplaced'
    | 'event-unsealed'
    | 'batch-altered'
    | 'batch-missing'
    | 'batch-differs'
    | 'run-row-differs'
    | 'run-row-missing'
    | 'run-without-events'
    | 'head-not-contained'
    | 'head-not-signed';
  says: string;
  run_id?: string;
  seq?: number;
  position?: number;
  /** With `position`: the place is somewhere from there to here. */
  last_position?: number;
  batch?: number;
  /** The column that was most likely changed, where that can be told. */
  column?: string;
};

/** What the last check of the whole log found, since when it was intact, and how far the one under way is. */
export type ChainState = {
  last: {
    ok: boolean;
    runs: number;
    events: number;
    position: number;
    at: string;
    /** What was found first, when it is not intact. */
    finding: Finding | null;
  } | null;
  /** When the first of the checks was that have found nothing since. */
  intact_since: string | null;
  /** How far the one under way is. */
  checking: { position: number; of: number } | null;
};
