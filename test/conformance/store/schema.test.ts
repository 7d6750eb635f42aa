import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Connection } from '../../../src/store/sqlite/connection.js';
import { loadDriver } from '../../../src/store/sqlite/driver.js';
import { openSqliteStore } from '../../../src/store/sqlite/open.js';

const GOLDEN = new URL('../../golden/sqlite-schema.sql', import.meta.url);
const FIX = 'UPDATE_GOLDEN=1 npx vitest run test/conformance/store/schema.test.ts';

test('the tables are those that are written down', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'baton-schema-'));
  const store = await openSqliteStore({ home, writer: 'main' });
  const connection = new Connection(await loadDriver(), path.join(home, 'baton.db'));
  const rows = connection.all<{ sql: string }>(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'run_text_%' AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name",
  );
  const dump = `-- user_version ${connection.pragma('user_version')}\n${rows.map(({ sql }) => `${sql};\n`).join('\n')}`;
  connection.close();
  await store.close();
  rmSync(home, { recursive: true });
  if (process.env.UPDATE_GOLDEN) writeFileSync(GOLDEN, dump);
  expect(dump, `a released schema changes only by a further migration; then run: ${FIX}`).toBe(
    readFileSync(GOLDEN, 'utf8'),
  );
});

test('what owes or wakes is found by index, so that finished runs cost nothing', async () => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'baton-plan-'));
  const store = await openSqliteStore({ home, writer: 'main' });
  const connection = new Connection(await loadDriver(), path.join(home, 'baton.db'));
  const plan = (sql: string) =>
    connection.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).map(({ detail }) => detail);
  expect(plan("SELECT id FROM run WHERE owner IS 'w' AND owes = 1 ORDER BY id LIMIT 1")).toEqual([
    'SEARCH run USING COVERING INDEX run_owing (owner=?)',
  ]);
  expect(plan("SELECT kind FROM run WHERE owner IS 'w' AND wake_at <= 5 ORDER BY wake_at LIMIT 1")).toEqual([
    'SEARCH run USING INDEX run_waking (owner=? AND wake_at<?)',
  ]);
  expect(plan("SELECT min(owner) FROM run WHERE owes = 1 AND owner > ''")).toEqual([
    'SEARCH run USING COVERING INDEX run_owing (owner>?)',
  ]);
  expect(plan('SELECT min(wake_at) FROM run WHERE owner IS NULL AND wake_at IS NOT NULL')).toEqual([
    'SEARCH run USING COVERING INDEX run_waking (owner=? AND wake_at>?)',
  ]);
  expect(plan("SELECT run_id FROM run WHERE owner = 'w' ORDER BY id")).toEqual([
    'SEARCH run USING INDEX run_owned (owner=?)',
  ]);
  connection.close();
  await store.close();
  rmSync(home, { recursive: true });
});
