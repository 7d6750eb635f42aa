export type RunResult =
  | { type: 'exited'; code: number; stdout: string; stderr: string }
  | { type: 'killed'; signal: string }
  | { type: 'timeout' }
  | { type: 'failed'; reason: string };

export type FileFacts = { kind: 'file' | 'folder' | 'other'; mode: number; uid: number };

export type SqliteTrial = {
  driver: string;
  version: string;
  /** What held on a real file; absent when no folder was given. */
  onFile?: { journalMode: string; synchronous: number; walSeen: boolean; rowKept: boolean };
};

/** What bubblewrap was seen to keep from a command, or what it said when it could not start one. */
export type SandboxTrial =
  | { type: 'holds' }
  | { type: 'leaks'; layers: readonly string[] }
  | { type: 'fails'; said: string };

/** Everything the doctor may touch of the machine. Nothing behind it leaves a trace. */
export interface Probe {
  readonly platform: NodeJS.Platform;
  readonly nodeVersion: string;
  /** Undefined where the system has no user numbers. */
  readonly uid: number | undefined;
  /** Full path of a program on PATH. */
  find(program: string): Promise<string | undefined>;
  /** Bounded in time and output; its whole process group is ended afterwards. */
  run(program: string, args: readonly string[], timeoutMs: number): Promise<RunResult>;
  /** Undefined when it does not exist. */
  readText(file: string): Promise<string | undefined>;
  stat(file: string): Promise<FileFacts | undefined>;
  isWritable(folder: string): Promise<boolean>;
  realPath(file: string): Promise<string>;
  freeBytes(folder: string): Promise<number>;
  isAlive(pid: number): boolean;
  /** Undefined when connected, else why not. `target` is a path of a Unix socket or a host with its port. */
  connect(target: { host: string; port: number } | { path: string }, timeoutMs: number): Promise<string | undefined>;
  /** Runs a command in it, as Baton would, that tries what it must not be able to do. */
  trySandbox(program: string): Promise<SandboxTrial>;
  trySqlite(folder: string | undefined): Promise<SqliteTrial>;
}
