import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ROOT } from '../cli/run-bin.js';

const ASSETS = path.join(ROOT, 'dist/console/assets');
const GZIP_BYTES_MAX = 250_000;

test('all JavaScript of the console is below 250 kB on the wire', () => {
  const scripts = readdirSync(ASSETS).filter((name) => name.endsWith('.js'));
  const bytes = scripts.map((name) => gzipSync(readFileSync(path.join(ASSETS, name))).length);
  expect(bytes.reduce((sum, length) => sum + length, 0)).toBeLessThan(GZIP_BYTES_MAX);
  expect(scripts.length).toBeGreaterThan(0);
});
