import path from 'node:path';
import type { CodebaseAnalysis, ProjectCommands } from '../analysis/codebase-analysis.js';
import type { Project } from '../project/project.js';
import { MANIFEST_VERSION } from './manifest.js';

/** Phase 3: settings.json, how one works in a project of this kind. */
export type TemplateSettings = {
  schema_version: string;
  naming: { files: string | null; types: string | null; functions: string | null };
  /** Folders of each layer. */
  layers: Readonly<Record<string, readonly string[]>>;
  commands: ProjectCommands;
  test_framework: string | null;
  build_tool: string | null;
  /** Endings of source files, the most frequent first. */
  file_extensions: readonly string[];
};

const EXTENSIONS_MAX = 12;

export function makeSettings(analysis: CodebaseAnalysis, project: Project): TemplateSettings {
  return {
    schema_version: MANIFEST_VERSION,
    naming: analysis.naming ?? { files: null, types: null, functions: null },
    layers: Object.fromEntries((analysis.layers ?? []).map(({ name, folders }) => [name, folders])),
    commands: analysis.commands ?? {},
    test_framework: analysis.test_framework ?? null,
    build_tool: analysis.build_tool ?? null,
    file_extensions: extensionsOf(project),
  };
}

function extensionsOf({ files }: Project): readonly string[] {
  const counts = new Map<string, number>();
  for (const { path: file, role } of files) {
    const ending = path.posix.extname(file);
    if (ending !== '' && (role === 'source' || role === 'test')) counts.set(ending, (counts.get(ending) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .slice(0, EXTENSIONS_MAX)
    .map(([ending]) => ending);
}
