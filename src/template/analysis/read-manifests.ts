import { isObject } from '../../contracts/shared/is-object.js';
import { isBesideProject } from '../project/is-beside-project.js';
import type { Project } from '../project/project.js';
import { readText } from '../project/read-text.js';
import { type Ecosystem, MANIFESTS } from './technologies.js';

/** What the manifests of one kind say together. */
export type Manifest = {
  ecosystem: Ecosystem;
  paths: string[];
  /** Their text in small letters, without comments; of package.json and composer.json, a dependency a line. */
  text: string;
  /** Scripts of package.json, targets of a Makefile: what can be run. */
  scripts: Set<string>;
};

const MANIFESTS_MAX = 60;
const BYTES_MAX = 256 * 1024;

/** Reads the manifests nearest to the root. */
export function readManifests(project: Project): Map<Ecosystem, Manifest> {
  const found = new Map<Ecosystem, Manifest>();
  for (const { path, ecosystem } of manifestPaths(project)) {
    const read = readText(project, path, BYTES_MAX);
    if (read === undefined) continue;
    const manifest = found.get(ecosystem) ?? { ecosystem, paths: [], text: '', scripts: new Set<string>() };
    manifest.paths.push(path);
    addText(manifest, read.text, path);
    found.set(ecosystem, manifest);
  }
  return found;
}

/** There tests are a project of their own; elsewhere a manifest among tests is a part of them. */
const TEST_PROJECTS = /\.(?:cs|fs|vb)proj$|^(?:pom\.xml|build\.gradle(?:\.kts)?)$/;

function manifestPaths({ files }: Project): { path: string; ecosystem: Ecosystem }[] {
  const found: { path: string; ecosystem: Ecosystem; depth: number }[] = [];
  for (const { path, role } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (role !== 'config' && !(role === 'test' && TEST_PROJECTS.test(name))) continue;
    if (isBesideProject(path)) continue;
    const ecosystem = MANIFESTS.find(({ names }) => names.test(name))?.ecosystem;
    if (ecosystem) found.push({ path, ecosystem, depth: path.split('/').length });
  }
  return found.sort((one, other) => one.depth - other.depth).slice(0, MANIFESTS_MAX);
}

function addText(manifest: Manifest, text: string, path: string): void {
  if (manifest.ecosystem === 'node' || manifest.ecosystem === 'php') {
    const { names, scripts } = readPackage(text);
    manifest.text += `\n${names.join('\n').toLowerCase()}\n`;
    // Scripts of a package below are not run from the root.
    if (!path.includes('/')) for (const script of scripts) manifest.scripts.add(script);
    return;
  }
  if (manifest.ecosystem === 'make' && !path.includes('/')) {
    for (const [, target] of text.matchAll(/^([A-Za-z][\w-]*)\s*:(?!=)/gm)) manifest.scripts.add(target as string);
  }
  manifest.text += `\n${withoutComments(text).toLowerCase()}\n`;
}

function withoutComments(text: string): string {
  const [before = '', ...after] = text.replace(/^[ \t]*(?:#|\/\/).*$/gm, '').split('<!--');
  return before + after.map((part) => part.split('-->').slice(1).join('-->')).join('');
}

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'require', 'require-dev'];

function readPackage(text: string): { names: string[]; scripts: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return { names: [], scripts: [] };
  }
  if (!isObject(value)) return { names: [], scripts: [] };
  const keys = (field: string): string[] => (isObject(value[field]) ? Object.keys(value[field]) : []);
  return { names: DEPENDENCY_FIELDS.flatMap(keys), scripts: keys('scripts') };
}

/** As a word of its own, in any case of letters: `react` is not in `react-dom`. */
export function mentions({ ecosystem, text }: Manifest, word: string): boolean {
  const wanted = word.toLowerCase();
  if (ecosystem === 'node' || ecosystem === 'php') return text.includes(`\n${wanted}\n`);
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (!PART_OF_WORD.test(text[at - 1] ?? ' ') && !PART_OF_WORD.test(text[at + wanted.length] ?? ' ')) return true;
  }
  return false;
}

/** A dot or slash goes on with a name of the same family: org.springframework.boot, gin/v2. */
const PART_OF_WORD = /[a-z0-9_@-]/;
