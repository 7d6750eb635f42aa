import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { recordingIo } from '../../src/cli/recording-io.js';
import { runCli } from '../../src/cli/run-cli.js';
import { fullCommands } from '../../src/main.js';
import { Connection } from '../../src/store/sqlite/connection.js';
import { loadDriver } from '../../src/store/sqlite/driver.js';

/** The real command line with the real wiring, in this process. */
export async function cli(home: string, ...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = recordingIo({ env: { BATON_HOME: home, LANG: 'C.UTF-8' }, cwd: os.tmpdir() });
  const code = await runCli(argv, io, async ({ name }) => {
    const run = fullCommands[name];
    if (!run) throw new Error(`${name} is of the quick tier`);
    return run;
  });
  return { code, ...io.said };
}

export async function cliJson(home: string, ...argv: string[]): Promise<{ code: number; json: Answer }> {
  const { code, out } = await cli(home, ...argv, '--json');
  return { code, json: JSON.parse(out) };
}

/** Whatever a command printed; tests compare whole parts of it. */
export type Answer = {
  ok?: boolean;
  code?: string;
  reason?: string;
  details?: { run_id?: string; position?: number; findings?: Found[]; differences?: unknown[]; candidates?: unknown[] };
  items?: Record<string, unknown>[];
  next?: string | null;
  [more: string]: unknown;
};
export type Found = { kind: string; run_id?: string; position?: number; last_position?: number; column?: string };

/** A copy that one test may spoil. */
export function copyOf(home: string): string {
  const copy = mkdtempSync(path.join(os.tmpdir(), 'baton-audit-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(home, copy, { recursive: true });
  return copy;
}

/** Somebody with the file and no manners. */
export async function spoil(home: string, ...statements: string[]): Promise<void> {
  await withDatabase(home, (connection) => {
    for (const statement of statements) connection.exec(statement);
  });
}

export async function withDatabase<T>(home: string, work: (connection: Connection) => T): Promise<T> {
  const connection = new Connection(await loadDriver(), path.join(home, 'baton.db'));
  try {
    return work(connection);
  } finally {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    connection.close();
  }
}
