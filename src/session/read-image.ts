import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { pathProblem } from '../contracts/shared/relative-path.js';
import { openInside } from '../sandbox/open-inside.js';
import { isOwn, ownPlace } from '../tools/files/own-place.js';

const IMAGE_BYTES_MAX = 5 * 1024 * 1024;
const HEAD_BYTES = 12;

type Image = { dataUrl: string } | { problem: string };
type Places = {
  /** What is relative is meant from the first; nothing outside of them is read. */
  roots: readonly [string, ...string[]];
  /** Baton's own folder. */
  home?: string;
};

/** An image of a folder that others write to, as a data URL. What it is, its content says and not its name. */
export async function readImage(file: string, { roots, home }: Places): Promise<Image> {
  const place = await placeOf(file, roots);
  if ('problem' in place) return place;
  const { root, below } = place;
  const shown = JSON.stringify(file.slice(0, 200));
  if (isOwn(await ownPlace(root, home), below)) return { problem: `${shown} is of Baton itself` };
  const opened = await openInside(root, below);
  if (opened.type === 'missing') return { problem: `there is no file ${shown}` };
  if (opened.type === 'refused') return { problem: `${shown} ${opened.because}` };
  const { handle, stats } = opened;
  try {
    if (stats.size > IMAGE_BYTES_MAX) {
      return { problem: `${shown} has ${stats.size} bytes; at most ${IMAGE_BYTES_MAX} are read` };
    }
    const bytes = Buffer.alloc(stats.size);
    const { bytesRead } = await handle.read(bytes, 0, stats.size, 0);
    const type = imageType(bytes.subarray(0, Math.min(bytesRead, HEAD_BYTES)));
    if (!type) return { problem: `${shown} is no PNG, JPEG, GIF or WebP image` };
    return { dataUrl: `data:image/${type};base64,${bytes.subarray(0, bytesRead).toString('base64')}` };
  } finally {
    await handle.close();
  }
}

async function placeOf(
  file: string,
  roots: Places['roots'],
): Promise<{ root: string; below: string } | { problem: string }> {
  const shown = JSON.stringify(file.slice(0, 200));
  const found = await Promise.all(
    roots.map(async (root) => ({ given: path.normalize(root), real: await realpath(root).catch(() => root) })),
  );
  const prefixes = found.flatMap(({ given, real }) => [
    { prefix: given, root: real },
    { prefix: real, root: real },
  ]);
  const above = prefixes.find(({ prefix }) => file.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`));
  if (path.isAbsolute(file) && !above) return { problem: `${shown} is outside of the folder of the session` };
  const root = path.isAbsolute(file) && above ? above.root : (found[0]?.real ?? roots[0]);
  const below = path.isAbsolute(file) && above ? file.slice(above.prefix.length).replace(/^\/+/, '') : file;
  const because = pathProblem(below);
  return because === undefined ? { root, below } : { problem: `the path ${shown} ${because}` };
}

function imageType(head: Buffer): 'png' | 'jpeg' | 'gif' | 'webp' | undefined {
  const latin = head.toString('latin1');
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (latin.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (/^GIF8[79]a/.test(latin)) return 'gif';
  return /^RIFF[\s\S]{4}WEBP/.test(latin) ? 'webp' : undefined;
}
