import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeErrands, SEVERAL } from './errand-home.js';
import { cli, cliJson, copyOf, spoil } from './in-process.js';

let home: string;
let file: string;
let lines: Record<string, string | number | null>[];

beforeAll(async () => {
  home = mkdtempSync(path.join(os.tmpdir(), 'baton-export-'));
  await makeErrands(home, { orders: SEVERAL });
  const { out } = await cli(home, 'audit', 'export');
  file = path.join(home, 'journal.ndjson');
  writeFileSync(file, out);
  lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function written(change: (all: typeof lines) => typeof lines): string {
  const spoiled = path.join(mkdtempSync(path.join(os.tmpdir(), 'baton-export-')), 'spoiled.ndjson');
  writeFileSync(
    spoiled,
    `${change(structuredClone(lines))
      .map((line) => JSON.stringify(line))
      .join('\n')}\n`,
  );
  return spoiled;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('an export', () => {
  test('verifies elsewhere, with the same result as the journal', async () => {
    const elsewhere = mkdtempSync(path.join(os.tmpdir(), 'baton-nowhere-'));
    const { code, json } = await cliJson(elsewhere, 'audit', 'verify', '--export', file);
    expect(code).toBe(0);
    expect(json).toEqual((await cliJson(home, 'audit', 'verify')).json);
  });

  test('can be verified by anybody who follows docs/audit.md, without a line of Baton', () => {
    const heads = new Map<string, string>();
    let inBatch: string[] = [];
    let batchHead = '';
    for (const line of lines.slice(1, -1)) {
      if (line.kind === 'event') {
        const { run_id, seq, type, at, actor, key, epoch, data, hash } = line;
        const previous = heads.get(String(run_id)) ?? '';
        expect(sha256(previous + JSON.stringify([run_id, seq, type, at, actor, key, epoch, data]))).toBe(hash);
        heads.set(String(run_id), String(hash));
        inBatch.push(String(hash));
      } else {
        const digest = sha256(inBatch.join(''));
        expect(digest).toBe(line.digest);
        batchHead = sha256(`${batchHead}|${line.first_position}|${inBatch.length}|${digest}`);
        expect(batchHead).toBe(line.hash);
        inBatch = [];
      }
    }
    expect(lines.at(-1)).toMatchObject({ kind: 'end', hash: batchHead });
  });

  test.each(['run_id', 'seq', 'type', 'data', 'at', 'actor', 'key', 'epoch', 'hash', 'position'])(
    'with another %s in one line does not verify',
    async (column) => {
      const spoiled = written((all) => {
        const line = all[4] as (typeof lines)[number];
        line[column] = typeof line[column] === 'number' ? Number(line[column]) + 1_000 : `${line[column]}x`;
        return all;
      });
      expect((await cliJson(home, 'audit', 'verify', '--export', spoiled)).json.code).toBe('AUDIT_BROKEN');
    },
  );

  test('that was cut off anywhere does not verify', async () => {
    for (let end = 1; end < lines.length; end += 1) {
      const { json } = await cliJson(
        home,
        'audit',
        'verify',
        '--export',
        written((all) => all.slice(0, end)),
      );
      expect({ end, code: json.code }).toEqual({ end, code: 'AUDIT_BROKEN' });
    }
  });

  test('of a journal whose end is gone shows that it is gone', async () => {
    const spoiled = copyOf(home);
    const last = lines.filter(({ kind }) => kind === 'batch').at(-1);
    await spoil(spoiled, `DELETE FROM journal WHERE position >= ${last?.first_position}`);
    const { out } = await cli(spoiled, 'audit', 'export');
    const kept = path.join(spoiled, 'export.ndjson');
    writeFileSync(kept, out);
    expect((await cliJson(home, 'audit', 'verify', '--export', kept)).json.code).toBe('AUDIT_BROKEN');
  });

  test('of one run verifies by its own chain, and not when an event is taken out', async () => {
    const { out } = await cli(home, 'audit', 'export', '--run', 'check');
    const own = out.trimEnd().split('\n');
    const kept = path.join(home, 'run.ndjson');
    writeFileSync(kept, out);
    const { json } = await cliJson(home, 'audit', 'verify', '--export', kept);
    expect(json).toMatchObject({ ok: true, runs: 1, events: own.length - 2 });
    writeFileSync(kept, own.filter((_, index) => index !== 3).join('\n'));
    expect((await cliJson(home, 'audit', 'verify', '--export', kept)).json.code).toBe('AUDIT_BROKEN');
  });

  test.each(['', 'nonsense', '{}', '{"kind":"baton-journal","version":2,"run_id":null}'])(
    'that is %j is refused as such',
    async (text) => {
      const strange = path.join(home, 'strange.ndjson');
      writeFileSync(strange, text);
      expect((await cliJson(home, 'audit', 'verify', '--export', strange)).json.code).toBe('EXPORT_INVALID');
    },
  );
});
