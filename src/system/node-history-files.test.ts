import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { openingText, tailText } from '../engine/projections/history-format.js';
import { NodeHistoryFiles } from './node-history-files.js';

const OPENING = openingText({ job_id: 'x', created_at: '2026-01-01T00:00:00Z' });
const TAIL = tailText({ recovery_points: [] });

function folder(): string {
  const made = mkdtempSync(path.join(os.tmpdir(), 'baton-history-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function* lines(...values: unknown[]): AsyncIterable<string> {
  for (const value of values) yield JSON.stringify(value);
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as { interactions: unknown[] };

test('a history grows at its end, private, and nothing is left beside it', async () => {
  const file = path.join(folder(), 'jobs/x/jobHistory.json');
  const files = new NodeHistoryFiles();
  const begun = await files.begin(file, { opening: OPENING, first: 0 }, lines(), TAIL);
  expect(read(file)).toMatchObject({ job_id: 'x', interactions: [], recovery_points: [] });
  await files.extend(file, lines('one', { two: 2 }), TAIL);
  const grown = await files.extend(file, lines('thrée'), tailText({ recovery_points: ['p'] }));
  expect(read(file)).toMatchObject({ interactions: ['one', { two: 2 }, 'thrée'], recovery_points: ['p'] });
  expect([begun.count, grown.count, grown.bytes]).toEqual([0, 3, statSync(file).size]);
  expect(await new NodeHistoryFiles().examine(file)).toEqual(grown);
  expect([readdirSync(path.dirname(file)), statSync(file).mode & 0o777]).toEqual([['jobHistory.json'], 0o600]);
});

test('another process goes on where the first one ended', async () => {
  const file = path.join(folder(), 'jobHistory.json');
  const one = new NodeHistoryFiles();
  await one.begin(file, { opening: OPENING, first: 7 }, lines(), TAIL);
  await one.extend(file, lines('one'), TAIL);
  const other = new NodeHistoryFiles();
  expect(await other.examine(file)).toMatchObject({ first: 7, count: 1, opening: OPENING, tail: TAIL });
  await other.extend(file, lines('two'), TAIL);
  expect(read(file).interactions).toEqual(['one', 'two']);
  await expect(one.extend(file, lines('three'), TAIL)).rejects.toThrow('changed by somebody else');
  expect(read(file).interactions).toEqual(['one', 'two']);
});

test('a change of any byte, a missing end and a longer end are noticed', async () => {
  const file = path.join(folder(), 'jobHistory.json');
  const files = new NodeHistoryFiles();
  await files.begin(file, { opening: OPENING, first: 0 }, lines(), TAIL);
  await files.extend(file, lines('one', 'two'), TAIL);
  const whole = readFileSync(file);
  const damaged = [...whole.keys()].map((at) => whole.map((byte, index) => (index === at ? byte ^ 1 : byte)));
  for (const bytes of [...damaged, whole.subarray(0, -1), Buffer.concat([whole, Buffer.from(' ')]), Buffer.alloc(0)]) {
    writeFileSync(file, bytes);
    expect(await new NodeHistoryFiles().examine(file)).toBeUndefined();
  }
  writeFileSync(file, whole);
  expect(await new NodeHistoryFiles().examine(file)).toMatchObject({ count: 2 });
});

test('a link at its place is not read and not followed', async () => {
  const home = folder();
  const outside = path.join(home, 'outside');
  const files = new NodeHistoryFiles();
  await files.begin(outside, { opening: OPENING, first: 0 }, lines(), TAIL);
  const file = path.join(home, 'jobHistory.json');
  symlinkSync(outside, file);
  expect(await files.examine(file)).toBeUndefined();
  await files.begin(file, { opening: OPENING, first: 3 }, lines(), TAIL);
  expect(await files.examine(outside)).toMatchObject({ first: 0 });
});

test('lines that cannot be made leave the file as it was, and what a dead writer left is removed', async () => {
  const home = folder();
  const file = path.join(home, 'jobHistory.json');
  const files = new NodeHistoryFiles();
  await files.begin(file, { opening: OPENING, first: 0 }, lines(), TAIL);
  const failing = async function* (): AsyncIterable<string> {
    yield '"one"';
    throw new Error('no such body');
  };
  await expect(files.extend(file, failing(), TAIL)).rejects.toThrow('no such body');
  expect([readdirSync(home), read(file).interactions]).toEqual([['jobHistory.json'], []]);
  writeFileSync(path.join(home, '.jobHistory.json.1234.tmp'), 'half');
  writeFileSync(path.join(home, '.job_manifest.json.1234.tmp'), 'not ours');
  expect(await files.examine(file)).toMatchObject({ count: 0 });
  expect(readdirSync(home).sort()).toEqual(['.job_manifest.json.1234.tmp', 'jobHistory.json']);
});

test('a packed history is the same text, compressed [R112]', async () => {
  const home = folder();
  const file = path.join(home, 'jobHistory.json');
  const part = path.join(home, 'part.json.gz');
  const files = new NodeHistoryFiles();
  await files.begin(file, { opening: OPENING, first: 0 }, lines(), TAIL);
  await files.extend(file, lines('one'.repeat(1_000)), TAIL);
  const { bytes } = await files.pack(file, part);
  expect(gunzipSync(readFileSync(part))).toEqual(readFileSync(file));
  expect([bytes, await files.size(part), await files.size(path.join(home, 'none'))]).toEqual([
    statSync(part).size,
    bytes,
    undefined,
  ]);
});
