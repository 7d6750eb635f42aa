import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/** What a case has at a path: a text, or something that is no plain text file. */
export type Entry =
  | string
  | { text: string; mode: string }
  | { base64: string }
  | { repeat: string; times: number }
  | { link: string }
  | { hardLink: string }
  | { folder: true }
  | { fifo: true };

export type Tree = Readonly<Record<string, Entry>>;

export function makeTree(folder: string, tree: Tree): void {
  for (const [name, entry] of Object.entries(tree)) {
    const place = path.join(folder, name);
    mkdirSync(path.dirname(place), { recursive: true });
    makeEntry(place, entry);
  }
}

function makeEntry(place: string, entry: Entry): void {
  if (typeof entry === 'string') writeFileSync(place, entry);
  else if ('text' in entry) {
    writeFileSync(place, entry.text);
    chmodSync(place, Number.parseInt(entry.mode, 8));
  } else if ('base64' in entry) writeFileSync(place, Buffer.from(entry.base64, 'base64'));
  else if ('repeat' in entry) writeFileSync(place, entry.repeat.repeat(entry.times));
  else if ('link' in entry) symlinkSync(entry.link, place);
  else if ('hardLink' in entry) linkSync(path.join(path.dirname(place), entry.hardLink), place);
  else if ('folder' in entry) mkdirSync(place);
  else execFileSync('mkfifo', [place]);
}

/** Everything below the folder, with its mode: what a test compares byte for byte. */
export function readTree(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(names.map((name) => [name, described(path.join(folder, name))]));
}

function described(place: string): string {
  const stats = lstatSync(place);
  const mode = (stats.mode & 0o7777).toString(8);
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(place)}`;
  if (stats.isDirectory()) return `folder ${mode}`;
  if (!stats.isFile()) return `special ${mode}`;
  const bytes = readFileSync(place);
  const text = bytes.length <= 200 && !bytes.includes(0) ? JSON.stringify(bytes.toString()) : `${bytes.length} bytes`;
  return `file ${mode} ${text} ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
}
