import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';

/** A bug put into the source while it is built. The text must be there exactly once: a bug that is not planted shows nothing. */
export type SourceBug = { name: string; changes: readonly { file: string; from: string; to: string }[] };

export function driverByAddress(root: string): Plugin {
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

export function planting(root: string, { name, changes }: SourceBug): Plugin {
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
