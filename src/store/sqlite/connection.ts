import type { Database, Driver, Statement, Value } from './driver.js';

/**
 * One connection with its prepared statements. Two traps of @photostructure/sqlite: a statement does not keep its
 * database open, so both are held here; and a database with statements is closed only when these are collected, so
 * whoever needs the file released at once uses `exec` alone.
 */
export class Connection {
  readonly #database: Database;
  readonly #statements = new Map<string, Statement>();

  constructor(driver: Driver, file: string) {
    this.#database = new driver.DatabaseSync(file);
  }

  get<T>(sql: string, ...values: Value[]): T | undefined {
    return this.#statement(sql).get(...values) as T | undefined;
  }

  all<T>(sql: string, ...values: Value[]): T[] {
    return this.#statement(sql).all(...values) as T[];
  }

  /** The number of rows changed. */
  run(sql: string, ...values: Value[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Several statements at once, never kept. */
  exec(sql: string): void {
    this.#database.exec(sql);
  }

  pragma(name: string): Value | undefined {
    const row = this.#database.prepare(`PRAGMA ${name}`).get() as Record<string, Value> | undefined;
    return row && Object.values(row)[0];
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
