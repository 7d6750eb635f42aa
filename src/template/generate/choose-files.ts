import path from 'node:path';
import { createScrub } from '../../engine/scrub.js';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import type { Project, ProjectFile } from '../project/project.js';
import { type FileIndex, folderOf, followImports, indexFiles } from './follow-imports.js';
import { holdsSecret } from './holds-secret.js';
import { smallAssets } from './small-assets.js';
import { readSourceFile } from './source-file.js';

export type ChoiceLimits = { filesMax: number; bytesMax: number };

export type ChoiceOptions = {
  limits?: ChoiceLimits;
  /** Takes secrets out, known by value too; without it those known by their shape. */
  scrub?: (text: string) => string;
};

export type ChosenFiles = {
  /** In the order of their names. */
  paths: readonly string[];
  /** The whole project, as far as it may be taken. */
  whole: boolean;
  /** Files that hold a secret, or are called as if they did. */
  secret: readonly string[];
};

export const CHOICE_LIMITS: ChoiceLimits = { filesMax: 400, bytesMax: 4 * 1024 * 1024 };
const FILE_BYTES_MAX = 1024 * 1024;
const PER_PATTERN = 3;
/** So many in a row that do not fit any more: the rest will not either. */
const MISSES_MAX = 500;

const ENTRY_POINT =
  /^(?:src\/|cmd\/[^/]+\/|app\/|lib\/)?(?:index|main|app|server|cli|__main__|Program|Main|App|lib)\.[a-z]+$/;
const GENERAL_DOCS = /^(?:README|LICEN[CS]E|NOTICE|CONTRIBUTING)[^/]*$/i;

/**
 * A small project is taken whole. Of a large one, a part that works by itself: each file comes with what it imports
 * and with its tests, in turn from every layer, as long as there is room.
 */
export function chooseFiles(
  project: Project,
  analysis: CodebaseAnalysis,
  { limits = CHOICE_LIMITS, scrub = createScrub([]) }: ChoiceOptions = {},
): ChosenFiles {
  const basket = createBasket(project, limits, scrub);
  const bytes = project.files.reduce((sum, file) => sum + file.bytes, 0);
  const whole = !project.truncated && project.files.length <= limits.filesMax && bytes <= limits.bytesMax;
  if (whole) for (const file of project.files) basket.addAlone(file.path);
  else fillByTurns(basket, project, analysis);
  for (const asset of smallAssets(project.root, basket.paths(), basket.room())) basket.addAsset(asset);
  return { paths: basket.paths(), whole, secret: [...basket.secret(), ...project.secretNames].sort() };
}

function fillByTurns(basket: Basket, project: Project, analysis: CodebaseAnalysis): void {
  const known = new Set(project.files.map((file) => file.path));
  for (const file of project.files) if (isGeneral(file)) basket.addAlone(file.path);
  const seeds = [
    ...(analysis.exemplars ?? []).filter((file) => known.has(file)),
    ...analysis.patterns.flatMap((pattern) => showing(pattern, project.files)),
    ...project.files.filter((file) => ENTRY_POINT.test(file.path)).map((file) => file.path),
    ...inTurn(byLayer(project.files, analysis)),
  ];
  const testsOf = testsByStem(project.files);
  let misses = 0;
  for (const seed of seeds) {
    const added = basket.addWithImports(seed);
    misses = added ? 0 : misses + 1;
    if (misses > MISSES_MAX) return;
    if (added) for (const test of testsOf(seed)) basket.addWithImports(test);
  }
}

/** What a project is built with, at its top. */
function isGeneral({ path: file, role }: ProjectFile): boolean {
  return !file.includes('/') && (role === 'config' || GENERAL_DOCS.test(file));
}

function showing(pattern: string, files: readonly ProjectFile[]): string[] {
  const word = pattern.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (word.length < 3) return [];
  const fits = files.filter(
    (file) =>
      file.role === 'source' &&
      path.posix
        .basename(file.path)
        .toLowerCase()
        .replace(/[^a-z0-9]/g, '')
        .includes(word),
  );
  return fits.slice(0, PER_PATTERN).map((file) => file.path);
}

/** Sources by the layer they lie in; those of none by their folder, so that none of them crowds out the others. */
function byLayer(files: readonly ProjectFile[], { layers = [] }: CodebaseAnalysis): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const { path: file, role } of files) {
    if (role !== 'source') continue;
    const layer = layers.find(({ folders }) => folders.some((folder) => file.startsWith(`${folder}/`)));
    const key = layer ? `layer ${layer.name}` : `folder ${folderOf(file)}`;
    const group = groups.get(key);
    if (group) group.push(file);
    else groups.set(key, [file]);
  }
  return [...groups.values()];
}

function* inTurn(groups: readonly (readonly string[])[]): Generator<string> {
  const longest = groups.reduce((most, group) => Math.max(most, group.length), 0);
  for (let turn = 0; turn < longest; turn += 1) {
    for (const group of groups) {
      const file = group[turn];
      if (file !== undefined) yield file;
    }
  }
}

function testsByStem(files: readonly ProjectFile[]): (file: string) => readonly string[] {
  const tests = new Map<string, string[]>();
  for (const { path: file, role } of files) {
    if (role === 'test') tests.set(stem(file), [...(tests.get(stem(file)) ?? []), file]);
  }
  return (file) => tests.get(stem(file)) ?? [];
}

function stem(file: string): string {
  const [name = ''] = path.posix.basename(file).split('.');
  return name.replace(/^tests?_|[-_]?(?:tests?|spec)$/i, '').toLowerCase();
}

type Basket = {
  addAlone(file: string): boolean;
  /** All or nothing: half of what a file imports would not work. */
  addWithImports(file: string): boolean;
  addAsset(file: { path: string; bytes: number }): void;
  paths(): readonly string[];
  room(): ChoiceLimits;
  secret(): readonly string[];
};

type Looked = { bytes: number; secret: boolean; imports: readonly string[] };

function createBasket(project: Project, limits: ChoiceLimits, scrub: (text: string) => string): Basket {
  const taken = new Map<string, number>();
  const secret = new Set<string>();
  let bytes = 0;
  const look = createLook(project, scrub);
  const take = (file: string, size: number): void => {
    if (!taken.has(file)) bytes += size;
    taken.set(file, size);
  };
  const fits = (more: ReadonlyMap<string, number>): boolean => {
    const size = [...more.values()].reduce((sum, each) => sum + each, 0);
    return taken.size + more.size <= limits.filesMax && bytes + size <= limits.bytesMax;
  };
  const withImports = (seed: string): Map<string, number> | undefined => {
    const needed = new Map<string, number>();
    const waiting = [seed];
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (taken.has(file) || needed.has(file)) continue;
      const looked = look(file);
      if (looked?.secret) secret.add(file);
      if (!looked || looked.secret) continue;
      needed.set(file, looked.bytes);
      if (!fits(needed)) return undefined;
      waiting.push(...looked.imports);
    }
    return needed;
  };
  return {
    addAlone: (file) => {
      const looked = look(file);
      if (looked?.secret) secret.add(file);
      if (!looked || looked.secret || !fits(new Map([[file, looked.bytes]]))) return false;
      take(file, looked.bytes);
      return true;
    },
    addWithImports: (file) => {
      const needed = withImports(file);
      for (const [each, size] of needed ?? []) take(each, size);
      return taken.has(file);
    },
    addAsset: (file) => take(file.path, file.bytes),
    paths: () => [...taken.keys()].sort(),
    room: () => ({ filesMax: limits.filesMax - taken.size, bytesMax: limits.bytesMax - bytes }),
    secret: () => [...secret],
  };
}

function createLook(project: Project, scrub: (text: string) => string): (file: string) => Looked | undefined {
  const known = new Map<string, Looked | undefined>();
  const index = indexOf(project);
  return (file) => {
    if (known.has(file)) return known.get(file);
    const source = readSourceFile(project.root, file, FILE_BYTES_MAX);
    const looked = source && {
      bytes: source.bytes.length,
      secret: source.text !== undefined && holdsSecret(file, source.text, scrub),
      imports: source.text === undefined ? [] : followImports(file, source.text, index),
    };
    known.set(file, looked);
    return looked;
  };
}

function indexOf(project: Project): FileIndex {
  const [, module] = /^module\s+(\S+)/m.exec(readSourceFile(project.root, 'go.mod', FILE_BYTES_MAX)?.text ?? '') ?? [];
  return indexFiles(
    project.files.map((file) => file.path),
    module,
  );
}
