// One hash over everything a build reads, so that `./baton`, `npm start` and `npm test` build exactly when needed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const INPUTS = ['src', 'schemas', 'tools', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.lib.json'];

export function sourceStamp() {
  const hash = createHash('sha256');
  for (const file of INPUTS.flatMap((input) => filesBelow(path.join(ROOT, input)))) {
    if (file.includes(`${path.sep}generated${path.sep}`) || file.endsWith('.test.ts')) continue;
    hash.update(path.relative(ROOT, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

export function isBuilt() {
  const stamp = path.join(ROOT, 'dist/stamp');
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceStamp();
}

function filesBelow(entry) {
  if (!statSync(entry).isDirectory()) return [entry];
  return readdirSync(entry)
    .sort()
    .flatMap((name) => filesBelow(path.join(entry, name)));
}
