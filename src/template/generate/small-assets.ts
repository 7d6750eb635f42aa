import { lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathProblem } from '../../contracts/shared/relative-path.js';
import type { ChoiceLimits } from './choose-files.js';
import { folderOf } from './follow-imports.js';

export type Asset = { path: string; bytes: number };

const ASSET_BYTES_MAX = 64 * 1024;
const ASSET = /\.(?:png|jpe?g|gif|ico|icns|webp|avif|bmp|ttf|otf|woff2?|wav|mp3|ogg|pdf)$/i;

/** Pictures, fonts and the like beside the chosen files, small enough to come along as they are. */
export function smallAssets(root: string, chosen: readonly string[], room: ChoiceLimits): readonly Asset[] {
  const assets: Asset[] = [];
  let bytes = 0;
  for (const folder of new Set(chosen.map(folderOf))) {
    for (const asset of assetsIn(root, folder)) {
      if (assets.length >= room.filesMax || bytes + asset.bytes > room.bytesMax) return assets;
      assets.push(asset);
      bytes += asset.bytes;
    }
  }
  return assets;
}

function assetsIn(root: string, folder: string): Asset[] {
  try {
    const names = readdirSync(path.join(root, folder)).filter((name) => ASSET.test(name));
    return names.sort().flatMap((name) => {
      const file = folder === '' ? name : `${folder}/${name}`;
      const stats = lstatSync(path.join(root, file));
      const fits = stats.isFile() && stats.size <= ASSET_BYTES_MAX && pathProblem(file) === undefined;
      return fits ? [{ path: file, bytes: stats.size }] : [];
    });
  } catch {
    return [];
  }
}
