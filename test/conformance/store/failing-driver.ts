import type { Database, Driver, Statement } from '../../../src/store/sqlite/driver.js';

/** A driver whose next execution of one statement fails with a result code of SQLite. */
export function failingDriver(driver: Driver, sql: string): { driver: Driver; failNext(errcode: number): void } {
  let armed: number | undefined;
  const fail = (): void => {
    if (armed === undefined) return;
    const errcode = armed;
    armed = undefined;
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode });
  };
  class Failing implements Database {
    readonly #database: Database;
    constructor(file: string) {
      this.#database = new driver.DatabaseSync(file);
    }
    exec(text: string): void {
      this.#database.exec(text);
    }
    prepare(text: string): Statement {
      const statement = this.#database.prepare(text);
      if (text !== sql) return statement;
      const run: Statement['run'] = (...values) => {
        fail();
        return statement.run(...values);
      };
      return { get: (...values) => statement.get(...values), all: (...values) => statement.all(...values), run };
    }
    close(): void {
      this.#database.close();
    }
  }
  return {
    driver: { DatabaseSync: Failing },
    failNext(errcode) {
      armed = errcode;
    },
  };
}
