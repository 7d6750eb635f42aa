import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** A bug put into the source while it is built. The text must be there exactly once: a bug that is not planted shows nothing. */
export type SourceBug = { name: string; changes: readonly { file: string; from: string; to: string }[] };

export type Programs = { worker: string; client: string; appender: string; examiner: string; writerUrl: string };

/** Bundles of the programs in a folder, from where packages would not be found by name. */
export async function buildPrograms(root: string, folder: string, bug?: SourceBug): Promise<Programs> {
  const programs = path.join(root, 'test/faults/programs');
  await build({
    entryPoints: {
      worker: path.join(programs, 'worker.ts'),
      client: path.join(programs, 'client.ts'),
      appender: path.join(programs, 'appender.ts'),
      examiner: path.join(programs, 'examiner.ts'),
      'writer-worker': path.join(root, 'src/store/sqlite/writer-worker.ts'),
    },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
    plugins: [driverByAddress(root), ...(bug ? [planting(root, bug)] : [])],
  });
  const at = (name: string): string => path.join(folder, `${name}.mjs`);
  return {
    worker: at('worker'),
    client: at('client'),
    appender: at('appender'),
    examiner: at('examiner'),
    writerUrl: pathToFileURL(at('writer-worker')).href,
  };
}

function driverByAddress(root: string): Plugin {
  const require = createRequire(path.join(root, 'package.json'));
  return {
    name: 'driver by address',
    setup({ onResolve }) {
      onResolve({ filter: /^@photostructure\/sqlite$/ }, ({ path: name }) => {
        return { path: pathToFileURL(require.resolve(name)).href, external: true };
      });
    },
  };
}

function planting(root: string, { name, changes }: SourceBug): Plugin {
  return {
    name: 'planted bug',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
        const mine = changes.filter((change) => path.join(root, change.file) === file);
        if (mine.length === 0) return undefined;
        let contents = readFileSync(file, 'utf8');
        for (const { from, to } of mine) {
          if (contents.split(from).length !== 2) throw new Error(`${name} cannot be planted: ${file} has no "${from}"`);
          contents = contents.replace(from, () => to);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}
