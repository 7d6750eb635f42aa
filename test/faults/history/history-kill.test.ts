import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const KILLS = 30;
const LIVES_MS_MAX = 120;

test('a writer of histories that is killed at any moment leaves a whole history with all that was written', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'baton-kill-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = await built(folder);
  const job = path.join(folder, 'job');
  let attempts = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    attempts = Math.max(attempts, await killedAfter(program, job, attempts, 1 + ((kill * 37) % LIVES_MS_MAX)));
    const sequences = sequencesIn(job);
    expect(sequences).toEqual(sequences.map((_, index) => index));
    expect(sequences.length).toBeGreaterThanOrEqual(attempts);
    // The store is never behind the files: what was written and not said any more was in it.
    attempts = sequences.length;
  }
  expect(existsSync(path.join(job, 'jobHistory.index.json'))).toBe(true);
});

/** How many attempts it said were on the disk. */
function killedAfter(program: string, job: string, attempts: number, livesMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, job, String(attempts)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = 0;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [verb, number] = line.split(' ');
      if (verb === 'failed') return reject(new Error(line));
      if (verb === 'attempts') said = Number(number);
    });
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), livesMs));
    child.on('error', reject);
    child.on('close', () => resolve(said));
  });
}

function sequencesIn(job: string): number[] {
  const index = path.join(job, 'jobHistory.index.json');
  const { parts } = existsSync(index) ? JSON.parse(readFileSync(index, 'utf8')) : { parts: [] };
  const packed = (parts as { file: string }[]).map(({ file }) =>
    String(gunzipSync(readFileSync(path.join(job, file)))),
  );
  const file = path.join(job, 'jobHistory.json');
  const texts = [...packed, ...(existsSync(file) ? [readFileSync(file, 'utf8')] : [])];
  const found = texts.flatMap((text) => JSON.parse(text).interactions as { sequence: number }[]);
  // Between the index and the new file, the last part is still in the old one.
  return [...new Set(found.map(({ sequence }) => sequence))];
}

async function built(folder: string): Promise<string> {
  const outfile = path.join(folder, 'history-writer.mjs');
  const entry = path.join(ROOT, 'test/faults/programs/history-writer.ts');
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node', logLevel: 'warning' });
  return outfile;
}
