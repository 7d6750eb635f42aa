import { copyFileSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { planting, type SourceBug } from '../stage/build-plugins.js';

/** The whole program as it is shipped, built from this checkout into a folder. Returns what `node` is to run. */
export async function buildBaton(root: string, folder: string, bug?: SourceBug): Promise<string> {
  const shared = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' } as const;
  await build({
    ...shared,
    entryPoints: [path.join(root, 'src/cli/quick.ts')],
    outfile: path.join(folder, 'dist/quick/cli.cjs'),
    format: 'cjs',
  });
  await build({
    ...shared,
    entryPoints: {
      main: path.join(root, 'src/main.ts'),
      'writer-worker': path.join(root, 'src/store/sqlite/writer-worker.ts'),
    },
    outdir: path.join(folder, 'dist/full'),
    format: 'esm',
    splitting: true,
    packages: 'external',
    plugins: bug ? [planting(root, bug)] : [],
  });
  const bin = path.join(folder, 'bin/baton.cjs');
  mkdirSync(path.dirname(bin));
  copyFileSync(path.join(root, 'bin/baton.cjs'), bin);
  symlinkSync(realpathSync(path.join(root, 'node_modules')), path.join(folder, 'node_modules'));
  // As in the real package: what lies in dist/full are modules.
  copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
  return bin;
}
