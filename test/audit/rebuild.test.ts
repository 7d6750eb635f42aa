import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Machines } from '../../src/engine/machines.js';
import { rebuildAndCompare } from '../../src/engine/projections/rebuild.js';
import { openHome } from '../../src/wiring.js';
import { makeErrands, SEVERAL } from './errand-home.js';
import { cli, cliJson, copyOf, spoil } from './in-process.js';

let home: string;
beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'baton-rebuild-'));
  await makeErrands(home, { orders: SEVERAL });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('lists rebuilt from the events', () => {
  test('say what the store says', async () => {
    const { code, json } = await cliJson(home, 'store', 'check');
    expect(code).toBe(0);
    expect(json).toMatchObject({ ok: true, runs: 4, questions: 2, unknown_kinds: {} });
    expect((await cli(home, 'store', 'check')).out).toMatch(/✓ 4 rows, 2 questions: as the events say\n$/);
  });

  test('know that a question was answered', async () => {
    const answered = copyOf(home);
    await makeErrands(answered, { orders: { 'answered-5': { review: true } }, approve: ['answered-5'] });
    expect((await cliJson(answered, 'store', 'check')).json).toMatchObject({ ok: true, questions: 3 });
  });

  test.each([
    ['status', "'done'", { field: 'status', stored: 'done', rebuilt: 'needs-human' }],
    ['title', "'other'", { field: 'title', stored: 'other', rebuilt: 'errand stuck-4' }],
    ['cost_micro_usd', '5', { field: 'costMicroUsd', stored: 5, rebuilt: 1_000 }],
    ['owes', '1', { field: 'owes', stored: true, rebuilt: false }],
    ['waiting_for', 'NULL', { field: 'waitingFor', stored: null, rebuilt: 'auth' }],
    ['created_at', "'2020-01-01T00:00:00.000Z'", { field: 'createdAt', stored: '2020-01-01T00:00:00.000Z' }],
    ['updated_at', "'2020-01-01T00:00:00.000Z'", { field: 'updatedAt', stored: '2020-01-01T00:00:00.000Z' }],
  ])('find a run row whose %s was changed', async (column, to, difference) => {
    const spoiled = copyOf(home);
    await spoil(spoiled, `UPDATE run SET ${column} = ${to} WHERE run_id = 'stuck-4'`);
    const { code, json } = await cliJson(spoiled, 'store', 'check');
    expect({ code, refused: json.code }).toEqual({ code: 1, refused: 'LISTS_DIFFER' });
    expect(json.details?.differences).toEqual([
      expect.objectContaining({ list: 'run', run_id: 'stuck-4', ...difference }),
    ]);
  });

  test.each([
    ["UPDATE inbox SET answered = '2020-01-01T00:00:00.000Z' WHERE item = 1", 'answeredAt'],
    ["UPDATE inbox SET question = 'Send money?' WHERE item = 1", 'question'],
    ['DELETE FROM inbox WHERE item = 1', 'key'],
    [
      "INSERT INTO inbox SELECT 9, run_id, seq, 'new', kind, title, question, expires_at, asked, answered FROM inbox LIMIT 1",
      'key',
    ],
    ["UPDATE inbox SET run_id = 'nobody' WHERE item = 1", 'run'],
  ])('find an inbox that was changed by %s', async (statement, field) => {
    const spoiled = copyOf(home);
    await spoil(spoiled, statement);
    const { json } = await cliJson(spoiled, 'store', 'check');
    expect(json.code).toBe('LISTS_DIFFER');
    expect(json.details?.differences).toContainEqual(expect.objectContaining({ list: 'inbox', field }));
  });

  test('are not compared with a journal that is broken', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, "UPDATE journal SET actor = 'mallory' WHERE position = 7");
    expect((await cliJson(spoiled, 'store', 'check')).json.code).toBe('AUDIT_BROKEN');
  });

  test('leave out runs of a kind that nothing here can fold, and say so', async () => {
    const opened = await openHome({ home, env: {}, writer: 'main', readOnly: true });
    const { ok, runs, unknown_kinds } = await rebuildAndCompare(opened.store, new Machines());
    await opened.close();
    expect({ ok, runs, unknown_kinds }).toEqual({ ok: true, runs: 0, unknown_kinds: { errand: 4 } });
  });
});
