import { compareText } from '../project/compare-text.js';
import { isBesideProject } from '../project/is-beside-project.js';
import { isCode } from '../project/languages.js';
import type { ProjectFile } from '../project/project.js';
import { layerOf, showsPattern } from './architecture.js';

/** Too small says nothing, too large does not fit into a prompt. */
const BYTES_LEAST = 200;
const BYTES_BEST = 3_000;
const BYTES_MOST = 20_000;
const DULL_NAMES =
  /(?:^|\/)(?:index|__init__|mod|main|types?|constants?|globals?|assemblyinfo|package-info|setup)\.[a-z]+$/i;

/** How much a file shows of how the project is written; higher is more. */
function worth({ path, bytes, language }: ProjectFile): number {
  const size =
    bytes < BYTES_LEAST
      ? bytes / BYTES_LEAST
      : bytes <= BYTES_MOST
        ? 2 - Math.abs(bytes - BYTES_BEST) / BYTES_MOST
        : 0.5;
  const depth = Math.min(path.split('/').length, 8) * 0.02;
  return (
    size - depth - (DULL_NAMES.test(path) ? 0.8 : 0) - (isBesideProject(path) ? 0.6 : 0) - (isCode(language) ? 0 : 0.4)
  );
}

export type Ranked = { file: ProjectFile; layer: string | null; worth: number };

/** Files with code, the best first. Of 50,000 equal ones the first by name. */
export function rankFiles(files: readonly ProjectFile[], language: string | null): Ranked[] {
  return files
    .filter(({ role, bytes }) => (role === 'source' || role === 'test') && bytes > 0)
    .map((file) => ({
      file,
      layer: layerOf(file)?.layer ?? null,
      worth: worth(file) + (language !== null && file.language === language ? 0.5 : 0),
    }))
    .sort((one, other) => other.worth - one.worth || compareText(one.file.path, other.file.path));
}

/** Turn by turn one file for each pattern and each layer, so that a few files show as much as possible. */
export function chooseFiles(
  ranked: readonly Ranked[],
  patterns: readonly string[],
  layers: readonly string[],
  filesMax: number,
): ProjectFile[] {
  const groups = [
    ...patterns.map((pattern) =>
      ranked.filter(({ file }) => showsPattern(file.path, pattern) && file.role === 'source'),
    ),
    ...layers.map((name) => ranked.filter(({ layer }) => layer === name)),
    ranked.filter(({ layer }) => layer === null),
    ranked,
  ].map((group) => group.values());
  const chosen = new Set<ProjectFile>();
  for (let progress = true; progress && chosen.size < filesMax; ) {
    progress = false;
    for (const group of groups) {
      const next = nextNew(group, chosen);
      if (next === undefined || chosen.size >= filesMax) continue;
      chosen.add(next);
      progress = true;
    }
  }
  return [...chosen];
}

function nextNew(group: IterableIterator<Ranked>, chosen: ReadonlySet<ProjectFile>): ProjectFile | undefined {
  for (let next = group.next(); !next.done; next = group.next()) {
    if (!chosen.has(next.value.file)) return next.value.file;
  }
  return undefined;
}
