// Attacks the real server over raw connections: npm run attacks. Prints one line per attack with what it was told;
// exits 1 when one was not refused, the server is gone, or its memory has grown without bound.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(path.join(tmpdir(), 'baton-attacks-'));
try {
  const outfile = path.join(folder, 'attacks.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'test/attacks/command-line.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' },
  });
  const { attacksFromCommandLine } = await import(pathToFileURL(outfile).href);
  process.exitCode = await attacksFromCommandLine(ROOT);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
