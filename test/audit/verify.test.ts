import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventRow } from '../../src/engine/ports.js';
import { makeErrands, SEVERAL } from './errand-home.js';
import { cli, cliJson, copyOf, type Found, spoil, withDatabase } from './in-process.js';
import { rehash } from './rehash.js';

let home: string;
let rows: EventRow[];
let batches: { batch: number; first_position: number; events: number }[];

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'baton-audit-'));
  await makeErrands(home, { orders: SEVERAL });
  await withDatabase(home, (connection) => {
    rows = connection.all<EventRow>('SELECT *, run_id AS run FROM journal ORDER BY position');
    batches = connection.all('SELECT batch, first_position, events FROM batch ORDER BY batch');
  });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What each column is changed to: something that fits it, so that only the hash can tell. */
const CHANGES: Record<string, string> = {
  position: 'position + 100000',
  run_id: "'elsewhere'",
  seq: 'seq + 100000',
  type: "'Queued' || type",
  data: `'{"atMs":1}'`,
  at: "'2020-01-01T00:00:00.000Z'",
  actor: "'mallory'",
  key: "coalesce(key, '') || 'x'",
  epoch: 'coalesce(epoch, 0) + 7',
  hash: "'zz' || substr(hash, 3)",
};

async function verifyBroken(spoiled: string): Promise<{ findings: Found[]; details: Found }> {
  const { code, json } = await cliJson(spoiled, 'audit', 'verify');
  expect({ code, refused: json.code }).toEqual({ code: 1, refused: 'AUDIT_BROKEN' });
  return { findings: json.details?.findings ?? [], details: json.details as Found };
}

describe('an intact journal', () => {
  test('verifies, with its counts', async () => {
    const { code, json } = await cliJson(home, 'audit', 'verify');
    const runs = Object.keys(SEVERAL).length;
    expect(code).toBe(0);
    expect(json).toMatchObject({ ok: true, runs, events: rows.length, batches: batches.length, position: rows.length });
    expect(rows.length).toBeGreaterThan(20);
  });

  test('is told in one line a person can read', async () => {
    const { out } = await cli(home, 'audit', 'verify');
    expect(out).toMatch(/^✓ 4 runs, \d+ events, every hash as recorded\n/);
  });
});

describe('a change of one column of one event', () => {
  test.each(Object.keys(CHANGES))('%s is noticed in every row, and its place is named', async (column) => {
    const spoiled = copyOf(home);
    for (const { position, run } of rows) {
      const from = (rows[position - 1] as unknown as Record<string, unknown>)[column];
      await spoil(spoiled, `UPDATE journal SET ${column} = ${CHANGES[column]} WHERE position = ${position}`);
      const { findings } = await verifyBroken(spoiled);
      const found = findings.find((finding) => finding.position === position);
      expect({ position, column, found, findings }).toMatchObject({ found: { position } });
      if (column !== 'position') expect(found?.run_id === run || column === 'run_id').toBe(true);
      const value =
        from === null ? 'NULL' : typeof from === 'number' ? from : `'${String(from).replaceAll("'", "''")}'`;
      const now = column === 'position' ? position + 100_000 : position;
      await spoil(spoiled, `UPDATE journal SET ${column} = ${value} WHERE position = ${now}`);
    }
    expect((await cliJson(spoiled, 'audit', 'verify')).json.ok).toBe(true);
  });

  test.each(['seq', 'hash', 'run_id', 'epoch', 'actor', 'type', 'at', 'key', 'data'])(
    'names the column %s',
    async (column) => {
      const spoiled = copyOf(home);
      // By its values it can only be told where they were seen before.
      const seen = new Set<string>();
      const row = rows.find(({ type, seq, epoch }) => {
        const isKnown = seen.has(type);
        seen.add(type);
        return isKnown && seq >= 5 && epoch !== null && seen.has('Queued');
      });
      const to = column === 'type' ? "'Queued'" : CHANGES[column];
      const where = `WHERE position = ${row?.position} AND type <> 'Queued'`;
      await spoil(spoiled, `UPDATE journal SET ${column} = ${to} ${where}`);
      const { findings } = await verifyBroken(spoiled);
      expect(findings).toEqual([expect.objectContaining({ kind: 'event-altered', position: row?.position, column })]);
    },
  );

  test('tells a person which event, and what to do', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, "UPDATE journal SET actor = 'mallory' WHERE position = 7");
    const { code, err } = await cli(spoiled, 'audit', 'verify');
    expect(code).toBe(1);
    expect(err).toContain('(position 7), column actor');
    expect(err).toMatch(/AUDIT_BROKEN\n {2}Keep a copy/);
  });
});

describe('rows that are gone or stand elsewhere', () => {
  test('a deleted event is missed at its place, wherever it was', async () => {
    for (const { position, run, seq } of rows) {
      const spoiled = copyOf(home);
      await spoil(spoiled, `DELETE FROM journal WHERE position = ${position}`);
      const { findings } = await verifyBroken(spoiled);
      const isLast = !rows.some((row) => row.run === run && row.seq > seq);
      const ofRun = isLast ? { run_id: run } : { kind: 'event-missing', run_id: run, seq };
      expect(findings[0]).toMatchObject({ kind: 'event-missing', position });
      expect(findings).toContainEqual(expect.objectContaining(ofRun));
    }
  });

  test('an event that was moved is missed where it stood and found where it stands', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, 'UPDATE journal SET position = 999 WHERE position = 6');
    const { findings } = await verifyBroken(spoiled);
    const { run, seq } = rows[5] as EventRow;
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'event-missing', position: 6 }));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'event-missing', run_id: run, seq }));
    expect(findings).toContainEqual(expect.objectContaining({ kind: 'event-misplaced', run_id: run, position: 999 }));
  });

  test('two events that changed places are noticed, whether of one run or of two', async () => {
    for (const { position } of rows.slice(1)) {
      const spoiled = copyOf(home);
      await spoil(spoiled, swapWithPrevious(position));
      const { findings } = await verifyBroken(spoiled);
      expect(findings.some((finding) => covers(finding, position) || covers(finding, position - 1))).toBe(true);
    }
  });

  test('a run whose events are all gone is missed: its places, and its row', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, "DELETE FROM journal WHERE run_id = 'review-2'");
    const { findings } = await verifyBroken(spoiled);
    expect(findings.at(-1)).toMatchObject({ kind: 'run-without-events', run_id: 'review-2' });
    expect(findings[0]).toMatchObject({ position: rows.find(({ run }) => run === 'review-2')?.position });
  });

  test('a run that is gone altogether is missed at its places', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, "DELETE FROM journal WHERE run_id = 'review-2'", "DELETE FROM run WHERE run_id = 'review-2'");
    const { findings } = await verifyBroken(spoiled);
    expect(findings[0]).toMatchObject({ kind: 'event-missing', position: expect.any(Number) });
  });

  test('events cut off at the end are missed, also with the head moved back', async () => {
    const spoiled = copyOf(home);
    const from = batches.at(-1)?.first_position ?? 0;
    await spoil(spoiled, `DELETE FROM journal WHERE position >= ${from}`);
    const { findings } = await verifyBroken(spoiled);
    expect(findings[0]).toMatchObject({ kind: 'event-missing', position: from });
  });

  test('an event added behind the last batch is noticed', async () => {
    const spoiled = copyOf(home);
    const last = rows.length;
    await spoil(
      spoiled,
      `INSERT INTO journal SELECT ${last + 1}, 'new-1', 1, type, data, at, actor, key, epoch, hash
        FROM journal WHERE position = 1`,
    );
    const { findings } = await verifyBroken(spoiled);
    expect(findings.map(({ kind }) => kind)).toEqual(['event-altered', 'event-unsealed', 'run-row-missing']);
    expect(findings[1]).toMatchObject({ run_id: 'new-1', position: last + 1 });
  });
});

describe('batches and run rows', () => {
  const CHANGED_BATCH: Record<string, string> = {
    batch: 'batch + 100000',
    first_position: 'first_position + 1',
    events: 'events + 1',
    digest: "'zz' || substr(digest, 3)",
    hash: "'zz' || substr(hash, 3)",
  };

  test.each(Object.keys(CHANGED_BATCH))('a batch with another %s is noticed at its place', async (column) => {
    for (const { batch, first_position, events } of batches) {
      const spoiled = copyOf(home);
      await spoil(spoiled, `UPDATE batch SET ${column} = ${CHANGED_BATCH[column]} WHERE batch = ${batch}`);
      const { findings } = await verifyBroken(spoiled);
      const [first] = findings;
      expect(first?.position).toBeGreaterThanOrEqual(first_position);
      expect(first?.position).toBeLessThanOrEqual(first_position + events);
      if (column !== 'batch') expect({ column: first?.column, more: findings.slice(1) }).toEqual({ column, more: [] });
    }
  });

  test('a batch that is gone is missed', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, 'DELETE FROM batch WHERE batch = 3');
    const { findings } = await verifyBroken(spoiled);
    expect(findings).toEqual([
      expect.objectContaining({ kind: 'batch-missing', position: batches[2]?.first_position }),
    ]);
  });

  test.each([
    ['version', 'version - 1', 'run-row-differs'],
    ['head', "'zz' || substr(head, 3)", 'run-row-differs'],
  ])('a run row with another %s is noticed', async (column, to, kind) => {
    const spoiled = copyOf(home);
    await spoil(spoiled, `UPDATE run SET ${column} = ${to} WHERE run_id = 'stuck-4'`);
    const { findings, details } = await verifyBroken(spoiled);
    expect(findings).toEqual([expect.objectContaining({ kind, run_id: 'stuck-4', column })]);
    expect(details.run_id).toBe('stuck-4');
  });

  test('a run row that is gone is missed', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, "DELETE FROM run WHERE run_id = 'stuck-4'");
    const { findings } = await verifyBroken(spoiled);
    expect(findings).toEqual([expect.objectContaining({ kind: 'run-row-missing', run_id: 'stuck-4' })]);
  });
});

describe('a signed head kept elsewhere', () => {
  async function signedHead(of: string): Promise<string> {
    const { out } = await cli(of, 'audit', 'head', '--json');
    return out;
  }

  function keep(text: string): string {
    const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'baton-head-')), 'head.json');
    writeFileSync(file, text);
    return file;
  }

  test('is found in the journal again, also when that has grown', async () => {
    const grown = copyOf(home);
    const file = keep(await signedHead(grown));
    await makeErrands(grown, { orders: { 'later-5': {} } });
    const { code, json } = await cliJson(grown, 'audit', 'verify', '--head', file);
    expect({ code, head: json.head }).toMatchObject({ code: 0, head: { position: rows.length } });
    expect((await cli(grown, 'audit', 'verify', '--head', file)).out).toMatch(/; contains the signed head of 20/);
  });

  test('alone shows that everything was changed and hashed again', async () => {
    const spoiled = copyOf(home);
    const file = keep(await signedHead(spoiled));
    await spoil(spoiled, "UPDATE journal SET actor = 'mallory' WHERE position = 7");
    await withDatabase(spoiled, rehash);
    expect((await cliJson(spoiled, 'audit', 'verify')).json.ok).toBe(true);
    const { code, json } = await cliJson(spoiled, 'audit', 'verify', '--head', file);
    expect({ code, refused: json.code }).toEqual({ code: 1, refused: 'AUDIT_BROKEN' });
    expect(json.details?.findings).toEqual([
      expect.objectContaining({ kind: 'head-not-contained', position: rows.length }),
    ]);
  });

  test('shows that the end of the journal was cut off without a trace', async () => {
    const spoiled = copyOf(home);
    await makeErrands(spoiled, { orders: { 'later-5': {} } });
    const file = keep(await signedHead(spoiled));
    const older = copyOf(home); // the same home, put back from an old copy
    cpSync(path.join(spoiled, 'keys'), path.join(older, 'keys'), { recursive: true });
    const { json } = await cliJson(older, 'audit', 'verify', '--head', file);
    expect(json.details?.findings).toEqual([expect.objectContaining({ kind: 'head-not-contained' })]);
  });

  test.each([
    ['position', 3],
    ['hash', 'ab'],
    ['at', '2020-01-01T00:00:00.000Z'],
    ['runs', 1],
    ['signature', 'AAAA'],
    ['public_key', 'AAAA'],
  ])('proves nothing when its %s was changed', async (field, value) => {
    const spoiled = copyOf(home);
    const file = keep(JSON.stringify({ ...JSON.parse(await signedHead(spoiled)), [field]: value }));
    const { code, json } = await cliJson(spoiled, 'audit', 'verify', '--head', file);
    expect({ code, refused: json.code }).toEqual({ code: 1, refused: 'AUDIT_BROKEN' });
    expect(json.details?.findings?.[0]).toMatchObject({ kind: 'head-not-signed' });
  });

  test('of another home names the key that signed it', async () => {
    const other = copyOf(home);
    const mine = copyOf(home);
    const head = await signedHead(other);
    await signedHead(mine);
    const { code, json } = await cliJson(mine, 'audit', 'verify', '--head', keep(head));
    expect(code).toBe(1);
    expect(json.reason).toContain(JSON.parse(head).public_key);
  });

  test.each(['', '{}', '[]', 'nonsense', '{"kind":"baton-head"}'])('that is %j is refused as such', async (text) => {
    const { code, json } = await cliJson(home, 'audit', 'verify', '--head', keep(text));
    expect({ code, refused: json.code }).toEqual({ code: 1, refused: 'HEAD_INVALID' });
  });

  test('is not made of a broken journal', async () => {
    const spoiled = copyOf(home);
    await spoil(spoiled, "UPDATE journal SET actor = 'mallory' WHERE position = 7");
    expect((await cliJson(spoiled, 'audit', 'head')).json.code).toBe('AUDIT_BROKEN');
  });
});

function swapWithPrevious(position: number): string {
  return `UPDATE journal SET position = -1 WHERE position = ${position};
    UPDATE journal SET position = ${position} WHERE position = ${position - 1};
    UPDATE journal SET position = ${position - 1} WHERE position = -1`;
}

function covers({ position = 0, last_position = position }: Found, place: number): boolean {
  return position <= place && place <= last_position;
}
