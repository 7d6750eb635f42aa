// Runs the examples of other languages against the real program and the real server: npm run interop [-- python go].
// Prints a line per language; exits 1 when one fails, or when its language is not installed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(path.join(tmpdir(), 'baton-interop-'));
try {
  const outfile = path.join(folder, 'interop.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'test/envelopes/kit/command-line.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' },
    // The bundle lies elsewhere, and looks for the examples from where it was written.
    define: { 'import.meta.dirname': JSON.stringify(path.join(ROOT, 'test/envelopes/kit')) },
  });
  const { interopFromCommandLine } = await import(pathToFileURL(outfile).href);
  process.exitCode = await interopFromCommandLine(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
