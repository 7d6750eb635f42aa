/** The one place that knows which SQLite is used: Node's own from 24 on, before that its drop-in replacement. */

export type Value = string | number | bigint | null | Uint8Array;

export interface Statement {
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
  run(...values: Value[]): { changes: number | bigint };
}
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}
export type Driver = { DatabaseSync: new (file: string) => Database };

const BUILT_IN_SINCE = 24;

export async function loadDriver(): Promise<Driver> {
  if (Number.parseInt(process.versions.node, 10) < BUILT_IN_SINCE) return import('@photostructure/sqlite');
  return process.getBuiltinModule('node:sqlite') as unknown as Driver; // not in the types of Node 20
}
