/** What a file is for, as far as its path tells. */
export type FileRole = 'source' | 'test' | 'config' | 'docs' | 'asset';

/** `path` is relative to the project, with `/` between its parts. */
export type ProjectFile = { path: string; bytes: number; language: string | null; role: FileRole };

/** Why files were left out, by count. */
export type Skipped = { vendored: number; ignored: number; binary: number; large: number; unreadable: number };

/** A project as it lies on the disk. Files are in the order of their paths. */
export type Project = {
  root: string;
  name: string;
  files: readonly ProjectFile[];
  skipped: Skipped;
  /** Files that are left out because of names that stand for secrets, the first of them. */
  secretNames: readonly string[];
  /** There were more files than are looked at. */
  truncated: boolean;
};
