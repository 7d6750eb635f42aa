/** What a patch does to one file, as people and clients are shown it (`changes` of apply_patch_approval_request). */
export type PatchChange =
  | { type: 'add'; content: string }
  | { type: 'delete'; content: string }
  | { type: 'update'; unified_diff: string; move_path: string | null };

export type PlannedFile = {
  /** Absolute, without links. */
  path: string;
  /** SHA-256 of the bytes; null: nothing is there. */
  before: string | null;
  after: string | null;
  /** Of the file afterwards; null: whatever a new file gets. */
  mode: number | null;
  content: string | null;
};

/** Everything that a patch will do, worked out before anything is written. Plain JSON: it is kept and applied later. */
export type PatchPlan = {
  files: readonly PlannedFile[];
  /** By the path as the patch has it. */
  changes: Readonly<Record<string, PatchChange>>;
};

/** Every file that the plan writes, moves or removes: whether it may is the caller's policy. */
export function pathsOf({ files }: PatchPlan): string[] {
  return files.map(({ path }) => path);
}
