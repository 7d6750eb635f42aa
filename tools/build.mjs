// The whole build: generate → dist/lib (tsc: library and types), dist/quick (small CommonJS tier), dist/full (ES module
// tier), dist/console (the web app).
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildConsole } from './console.mjs';
import { sourceStamp } from './stamp.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const QUICK_BYTES_MAX = 100_000;

process.chdir(ROOT);
execFileSync(process.execPath, ['tools/generate-contracts.mjs'], { stdio: 'inherit' });
rmSync('dist', { recursive: true, force: true });

const shared = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning', charset: 'utf8' };

await build({
  ...shared,
  entryPoints: { cli: 'src/cli/quick.ts', envelopes: 'src/cli/commands/envelope-document.ts' },
  outdir: 'dist/quick',
  outExtension: { '.js': '.cjs' },
  format: 'cjs',
  minify: true,
});
const quickBytes = readFileSync('dist/quick/cli.cjs').length;
if (quickBytes > QUICK_BYTES_MAX)
  throw new Error(`dist/quick/cli.cjs has ${quickBytes} bytes, more than ${QUICK_BYTES_MAX}`);

const { CONTRACT_FOLDERS } = await importTypeScript('src/contracts/contract-names.ts');
for (const [name, folder] of Object.entries(CONTRACT_FOLDERS)) {
  const constant = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  await build({
    ...shared,
    stdin: {
      contents: `export { ${constant} as contract } from './${folder}/${name}.ts';`,
      resolveDir: 'src/contracts',
      loader: 'ts',
    },
    outfile: `dist/quick/contracts/${name}.cjs`,
    format: 'cjs',
    minify: true,
  });
}

await build({
  ...shared,
  // The writer thread's code is loaded as a file of its own, beside what starts it.
  entryPoints: { main: 'src/main.ts', 'writer-worker': 'src/store/sqlite/writer-worker.ts' },
  outdir: 'dist/full',
  format: 'esm',
  splitting: true,
  packages: 'external',
});

execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.lib.json'], { stdio: 'inherit' });
const consoleBytes = await buildConsole();
writeFileSync('dist/stamp', sourceStamp());
const counted = `${Object.keys(CONTRACT_FOLDERS).length} contracts, console ${Math.round(consoleBytes / 1000)} kB gzip`;
console.log(`built: quick tier ${Math.round(quickBytes / 1000)} kB, ${counted}`);

async function importTypeScript(file) {
  const result = await build({ ...shared, entryPoints: [file], write: false, format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(result.outputFiles[0].contents).toString('base64')}`);
}
