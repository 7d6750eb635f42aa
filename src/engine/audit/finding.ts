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

/** One change can break many things; the first ones name it. */
export const FINDINGS_MAX = 20;

export type Report = (finding: Finding) => void;
