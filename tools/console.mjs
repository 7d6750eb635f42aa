// The web app: src/console → dist/console, which the server reads once and serves from memory.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const OUT = path.join(ROOT, 'dist/console');
const GZIP_BYTES_MAX = 250_000;

/** Returns the size of its JavaScript as it goes over the wire. */
export async function buildConsole() {
  await build({
    root: path.join(ROOT, 'src/console'),
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic' } },
    build: {
      outDir: OUT,
      emptyOutDir: true,
      target: 'es2022',
      // Nothing that stands in the page itself, and no font as data: the policy of the page forbids both.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // One script is wanted; what it may weigh is said above, as it goes over the wire.
      chunkSizeWarningLimit: 2_000,
    },
  });
  const scripts = readdirSync(path.join(OUT, 'assets')).filter((name) => name.endsWith('.js'));
  const bytes = scripts
    .map((name) => gzipSync(readFileSync(path.join(OUT, 'assets', name))).length)
    .reduce((sum, length) => sum + length, 0);
  if (bytes > GZIP_BYTES_MAX)
    throw new Error(`the console's JavaScript has ${bytes} bytes, more than ${GZIP_BYTES_MAX}`);
  return bytes;
}
