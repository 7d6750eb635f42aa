// Has Baton and an independent slow implementation judge packets of contract 003: npm run agree [-- --packets 100000 --seed N --from N].
// Prints per contract how they fell; exits 1 with the packets on which the two disagree.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = mkdtempSync(path.join(tmpdir(), 'baton-agree-'));
try {
  const outfile = path.join(folder, 'agree.mjs');
  await build({
    entryPoints: [path.join(ROOT, 'test/conformance/agreement/command-line.ts')],
    ...{ outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' },
  });
  const { agreeFromCommandLine } = await import(pathToFileURL(outfile).href);
  process.exitCode = agreeFromCommandLine(process.argv.slice(2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
