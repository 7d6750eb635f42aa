import type { DoctorEnv } from './finding.js';
import type { FileFacts, Probe, RunResult } from './probe.js';

const FOLDER: FileFacts = { kind: 'folder', mode: 0o700, uid: 1000 };

type Machine = Partial<Omit<Probe, 'run' | 'find' | 'readText' | 'stat'>> & {
  /** Full paths by program name. */
  programs?: Record<string, string>;
  /** Results by the whole command line. */
  results?: Record<string, RunResult>;
  files?: Record<string, string>;
  facts?: Record<string, FileFacts | undefined>;
  env?: DoctorEnv['env'];
};

export function said(stdout: string, code = 0, stderr = ''): RunResult {
  return { type: 'exited', code, stdout, stderr };
}

/** A healthy Linux machine of user 1000 with home /home/anna; each test breaks one thing. */
export function machine(broken: Machine = {}): DoctorEnv {
  const { programs = {}, results = {}, files = {}, facts = {}, env = {}, ...rest } = broken;
  const known: Record<string, FileFacts | undefined> = { '/home/anna': FOLDER, '/home/anna/.baton': FOLDER, ...facts };
  const probe: Probe = {
    platform: 'linux',
    nodeVersion: '20.20.2',
    uid: 1000,
    find: async (program) => programs[program],
    run: async (program, args) => {
      const line = [program, ...args].join(' ');
      return results[line] ?? { type: 'failed', reason: `unexpected: ${line}` };
    },
    readText: async (file) => files[file],
    stat: async (file) => known[file],
    isWritable: async () => true,
    realPath: async (file) => file,
    freeBytes: async () => 41_900_000_000,
    isAlive: () => false,
    connect: async () => undefined,
    trySandbox: async () => ({ type: 'fails', said: 'unexpected' }),
    trySqlite: async () => ({
      driver: 'sqlite-driver',
      version: '3.53.0',
      onFile: { journalMode: 'wal', synchronous: 2, walSeen: true, rowKept: true },
    }),
    ...rest,
  };
  return { probe, env, home: '/home/anna/.baton', userHome: '/home/anna' };
}
