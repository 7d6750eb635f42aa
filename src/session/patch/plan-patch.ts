import { changeText } from '../../core/patch/change-text.js';
import { type FileChange, parsePatch, type UpdateChange } from '../../core/patch/parse-patch.js';
import type { Effort } from '../../core/patch/seek-lines.js';
import { shownLine } from '../../core/patch/shown-line.js';
import { FILE_BYTES_MAX, hashOf, lookAtFile } from './look-at-file.js';
import { type PatchPlace, patchPlace, patchRoots } from './patch-place.js';
import type { PatchChange, PatchPlan, PlannedFile } from './patch-plan.js';
import { unifiedDiff } from './unified-diff.js';

type Planned = { files: readonly PlannedFile[]; change: PatchChange };
type Bounds = { roots: readonly string[]; effort: Effort };
type Former = { text: string; hash: string; mode: number };
type Order = {
  text: string;
  cwd: string;
  /** Where absolute paths may lie beside `cwd`; by default nowhere. */
  roots?: readonly string[];
};

const FILES_MAX = 500;
/** All new and removed texts together. */
const PLAN_BYTES_MAX = 16 * 1024 * 1024;

/** Carries a fault out of the depth; it never leaves this file. */
class Fault extends Error {}

/** Reads the files that a patch names and works out everything it will do. Nothing is written. */
export async function planPatch({ text, cwd, roots = [] }: Order): Promise<PatchPlan | { fault: string }> {
  const parsed = parsePatch(text);
  if ('fault' in parsed) return parsed;
  try {
    return await planChanges(parsed.changes, await patchRoots(cwd, roots));
  } catch (problem) {
    if (problem instanceof Fault) return { fault: problem.message };
    throw problem;
  }
}

async function planChanges(changes: readonly FileChange[], roots: readonly string[]): Promise<PatchPlan> {
  if (changes.length > FILES_MAX)
    throw new Fault(`the patch names ${changes.length} files; at most ${FILES_MAX} are taken`);
  refuseMeetings(changes, roots);
  const files: PlannedFile[] = [];
  const shown: [path: string, change: PatchChange][] = [];
  const effort = { comparisons: 0 };
  let bytes = 0;
  for (const change of changes) {
    const planned = await planChange(change, { roots, effort });
    files.push(...planned.files);
    shown.push([change.path, planned.change]);
    bytes += sizeOf(planned);
    if (bytes > PLAN_BYTES_MAX)
      throw new Fault(`the patch rewrites more than ${PLAN_BYTES_MAX} bytes: send it in parts`);
  }
  return { files, changes: Object.fromEntries(shown) };
}

function sizeOf({ files, change }: Planned): number {
  const written = files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
  return written + (change.type === 'delete' ? change.content.length : 0);
}

/** Each file once, and none that is the folder of another: the order of the parts then means nothing. */
function refuseMeetings(changes: readonly FileChange[], roots: readonly string[]): void {
  const seen = new Map<string, string>();
  const all = changes.flatMap((change) =>
    [change.path, ...movedTo(change)].map((name) => ({ change, name, key: keyOf(placeOf(change, name, roots)) })),
  );
  for (const { change, name, key } of all) {
    if (seen.has(key)) throw faultAt(change, name, 'is named twice in the patch: put all its changes into one part');
    seen.set(key, name);
  }
  for (const { change, name, key } of all) {
    for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
      const folder = seen.get(key.slice(0, end));
      if (folder !== undefined) throw faultAt(change, name, `lies below ${folder}, which the patch has as a file`);
    }
  }
}

/** Where file systems do not tell the case of letters apart, nor do we. */
function keyOf({ path }: PatchPlace): string {
  return process.platform === 'linux' ? path : path.normalize('NFC').toLowerCase();
}

function movedTo(change: FileChange): string[] {
  return change.type === 'update' && change.movePath !== null ? [change.movePath] : [];
}

function placeOf(change: FileChange, name: string, roots: readonly string[]): PatchPlace {
  const place = patchPlace(name, roots);
  if ('refused' in place) throw faultAt(change, name, place.refused);
  return place;
}

async function planChange(change: FileChange, bounds: Bounds): Promise<Planned> {
  const place = placeOf(change, change.path, bounds.roots);
  switch (change.type) {
    case 'add': {
      await expectNothing(change, change.path, place, 'is already there: update it instead');
      const content = change.lines.map((line) => `${line}\n`).join('');
      return { files: [written(change, place, content, null)], change: { type: 'add', content } };
    }
    case 'delete': {
      const former = await readFormer(change, place);
      return { files: [removed(place, former)], change: { type: 'delete', content: former.text } };
    }
    case 'update':
      return planUpdate(change, place, bounds);
  }
}

async function planUpdate(change: UpdateChange, place: PatchPlace, { roots, effort }: Bounds): Promise<Planned> {
  const former = await readFormer(change, place);
  const changed = changeText(former.text, change, effort);
  if ('fault' in changed) throw new Fault(changed.fault);
  const { movePath } = change;
  const shown: PatchChange = {
    type: 'update',
    unified_diff: unifiedDiff(former.text, changed.text),
    move_path: movePath,
  };
  if (movePath === null) {
    if (changed.text === former.text)
      throw faultAt(change, change.path, 'would stay as it is: the patch changes nothing in it');
    return { files: [{ ...written(change, place, changed.text, former.mode), before: former.hash }], change: shown };
  }
  const target = placeOf(change, movePath, roots);
  await expectNothing(change, movePath, target, 'is already there: nothing is moved onto it');
  return { files: [written(change, target, changed.text, former.mode), removed(place, former)], change: shown };
}

function written(change: FileChange, { path }: PatchPlace, content: string, mode: number | null): PlannedFile {
  const bytes = Buffer.byteLength(content);
  if (bytes > FILE_BYTES_MAX) throw faultAt(change, change.path, `would have more than ${FILE_BYTES_MAX} bytes`);
  return { path, before: null, after: hashOf(content), mode, content };
}

function removed({ path }: PatchPlace, { hash }: Former): PlannedFile {
  return { path, before: hash, after: null, mode: null, content: null };
}

async function expectNothing(change: FileChange, name: string, place: PatchPlace, otherwise: string): Promise<void> {
  const seen = await lookAtFile(place.root, place.below);
  if (seen.type === 'refused') throw faultAt(change, name, seen.because);
  if (seen.type === 'file') throw faultAt(change, name, otherwise);
}

async function readFormer(change: FileChange, { root, below }: PatchPlace): Promise<Former> {
  const seen = await lookAtFile(root, below);
  if (seen.type === 'missing') throw faultAt(change, change.path, 'is not there');
  if (seen.type === 'refused') throw faultAt(change, change.path, seen.because);
  if (seen.bytes.includes(0)) throw faultAt(change, change.path, 'is binary: only text is patched');
  return { text: textOf(change, seen.bytes), hash: seen.hash, mode: seen.stats.mode & 0o777 };
}

function textOf(change: FileChange, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw faultAt(change, change.path, 'is not UTF-8: only text is patched');
  }
}

function faultAt({ line }: FileChange, name: string, because: string): Fault {
  return new Fault(`line ${line} of the patch: ${shownLine(name)} ${because}`);
}
