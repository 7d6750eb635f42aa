import { compareText } from '../project/compare-text.js';
import { HELPING_LANGUAGES, isCode } from '../project/languages.js';
import type { Project } from '../project/project.js';
import { readText } from '../project/read-text.js';
import { findLayers, findPatterns } from './architecture.js';
import { chooseFiles, rankFiles } from './choose-files.js';
import type { CodebaseAnalysis, ProjectCommands } from './codebase-analysis.js';
import { COMMAND_RULES, NODE_PACKAGERS } from './ecosystem-commands.js';
import { commonStyle, declaredNames, stemOf } from './naming.js';
import { type Manifest, mentions, readManifests } from './read-manifests.js';
import { ECOSYSTEM_OF, type Ecosystem, TECHNOLOGIES, type Technology } from './technologies.js';

const PATTERNS_MAX = 10;
const EXEMPLARS_MAX = 12;
const EXEMPLAR_BYTES = 16 * 1024;

/** Phase 1 without an agent: what names, folders and manifests tell, and how sure that is. */
export async function analyseHeuristically(project: Project): Promise<CodebaseAnalysis> {
  const languages = countLanguages(project);
  const primary = languages[0]?.name ?? null;
  const manifests = ordered(readManifests(project), primary);
  const frameworks = technologies(manifests, 'framework');
  const test_framework = technologies(manifests, 'test')[0] ?? builtInTests(project, primary);
  const layers = findLayers(project.files);
  const patterns = findPatterns(project.files).slice(0, PATTERNS_MAX);
  const ranked = rankFiles(project.files, primary);
  const exemplars = chooseFiles(
    ranked,
    patterns,
    layers.map(({ name }) => name),
    EXEMPLARS_MAX,
  ).map(({ path }) => path);
  const { buildTool, commands } = howToBuild(project, manifests);
  const known = { manifest: manifests.length > 0, technology: frameworks.length > 0 || test_framework !== null };
  return {
    primary_language: primary,
    framework: frameworks[0] ?? null,
    patterns,
    languages,
    frameworks,
    layers,
    test_framework,
    build_tool: buildTool ?? technologies(manifests, 'build')[0] ?? null,
    commands,
    naming: namingOf(project, primary, exemplars),
    exemplars,
    files: project.files.length,
    confidence: confidenceOf(primary, { ...known, patterns: patterns.length > 0, layers: layers.length > 1 }),
    source: 'heuristics',
  };
}

/** Never as sure as somebody who has read the code: below what goes on without a warning. */
function confidenceOf(primary: string | null, known: Readonly<Record<string, boolean>>): number {
  if (primary === null) return 0.2;
  const signs = Object.values(known).filter(Boolean).length;
  return Math.round((0.4 + 0.09 * signs) * 100) / 100;
}

function countLanguages({ files }: Project): { name: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const { language, role } of files) {
    if (language === null || !isCode(language)) continue;
    if (role === 'source' || role === 'test') counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  // A header is of C++ where there is any.
  const headers = counts.get('C') ?? 0;
  if (counts.has('C++') && !files.some(({ path }) => path.endsWith('.c'))) {
    counts.set('C++', (counts.get('C++') ?? 0) + headers);
    counts.delete('C');
  }
  const helps = (name: string): number => (HELPING_LANGUAGES.has(name) ? 1 : 0);
  return [...counts]
    .map(([name, count]) => ({ name, files: count }))
    .sort(
      (one, other) =>
        helps(one.name) - helps(other.name) || other.files - one.files || compareText(one.name, other.name),
    );
}

/** Those of the primary language first. */
function ordered(found: ReadonlyMap<Ecosystem, Manifest>, primary: string | null): Manifest[] {
  const own = primary === null ? undefined : ECOSYSTEM_OF[primary];
  const rank = ({ ecosystem }: Manifest): number => (ecosystem === own ? 0 : ecosystem === 'make' ? 2 : 1);
  return [...found.values()].sort(
    (one, other) => rank(one) - rank(other) || compareText(one.ecosystem, other.ecosystem),
  );
}

function technologies(manifests: readonly Manifest[], kind: Technology['is']): string[] {
  return manifests.flatMap((manifest) =>
    (TECHNOLOGIES[manifest.ecosystem] ?? [])
      .filter(({ is, words }) => is === kind && words.some((word) => mentions(manifest, word)))
      .map(({ name }) => name),
  );
}

/** Where no manifest names one; the first that fits. */
const BUILT_IN_TESTS: Readonly<Record<string, readonly { name: string; files: RegExp }[]>> = {
  Go: [{ name: 'go test', files: /_test\.go$/ }],
  Rust: [{ name: 'cargo test', files: /(?:^|\/)tests\/[^/]+\.rs$/ }],
  Python: [
    { name: 'pytest', files: /(?:^|\/)conftest\.py$/ },
    { name: 'unittest', files: /(?:^|\/)test_[^/]+\.py$/ },
  ],
  Java: [{ name: 'JUnit', files: /(?:^|\/)src\/test\/java\// }],
  Elixir: [{ name: 'ExUnit', files: /_test\.exs$/ }],
};

function builtInTests({ files }: Project, primary: string | null): string | null {
  const known = primary === null ? [] : (BUILT_IN_TESTS[primary] ?? []);
  return known.find((built) => files.some(({ path }) => built.files.test(path)))?.name ?? null;
}

type Building = { buildTool: string | undefined; commands: ProjectCommands };

/** The first manifest that names a command wins. */
function howToBuild(project: Project, manifests: readonly Manifest[]): Building {
  const found: Building = { buildTool: undefined, commands: {} };
  for (const manifest of manifests) {
    const { buildTool, commands } = buildingOf(project, manifest);
    found.buildTool ??= buildTool;
    found.commands = { ...commands, ...found.commands };
    // Another language's commands beside the first one's would not be what builds the project.
    if (manifest.ecosystem !== 'make' && Object.keys(found.commands).length > 0) break;
  }
  const make = manifests.find(({ ecosystem }) => ecosystem === 'make');
  if (make) found.commands = { ...buildingOf(project, make).commands, ...found.commands };
  return found;
}

function buildingOf(project: Project, manifest: Manifest): Building {
  if (manifest.ecosystem === 'node') return nodeBuilding(project, manifest);
  if (manifest.ecosystem === 'make') return { buildTool: 'make', commands: scriptCommands(manifest, 'make') };
  const building: Building = { buildTool: undefined, commands: {} };
  for (const { file, word, buildTool, commands } of COMMAND_RULES[manifest.ecosystem]) {
    if (file && !project.files.some(({ path }) => file.test(path))) continue;
    if (word && !mentions(manifest, word)) continue;
    building.buildTool ??= buildTool;
    building.commands = { ...commands, ...building.commands };
  }
  return building;
}

function nodeBuilding({ files }: Project, manifest: Manifest): Building {
  const packager = NODE_PACKAGERS.find(({ file }) => files.some(({ path }) => path === file));
  const { name = 'npm', install = 'npm install', run = 'npm run' } = packager ?? {};
  return { buildTool: name, commands: { install, ...scriptCommands(manifest, run) } };
}

function scriptCommands({ scripts }: Manifest, run: string): ProjectCommands {
  const commands: ProjectCommands = {};
  for (const name of ['install', 'build', 'test', 'lint'] as const) {
    if (name === 'install' && run !== 'make') continue;
    if (scripts.has(name)) commands[name] = `${run} ${name}`;
  }
  if (run === 'make' && commands.test === undefined && scripts.has('check')) commands.test = 'make check';
  return commands;
}

function namingOf(project: Project, primary: string | null, exemplars: readonly string[]) {
  const own = project.files.filter(({ role, language }) => role === 'source' && language === primary);
  const types: string[] = [];
  const functions: string[] = [];
  for (const path of exemplars) {
    const names = declaredNames(readText(project, path, EXEMPLAR_BYTES)?.text ?? '');
    types.push(...names.types);
    functions.push(...names.functions);
  }
  return {
    files: commonStyle(own.map(({ path }) => stemOf(path))),
    types: commonStyle(types),
    functions: commonStyle(functions),
  };
}
