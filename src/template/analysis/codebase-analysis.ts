/** A part of the architecture and where it lies. */
export type Layer = { name: string; folders: readonly string[]; files: number };

/** How the project is built and tested, as its own files say. */
export type ProjectCommands = { install?: string; build?: string; test?: string; lint?: string };

/**
 * Phase 1: what the project is. Kept in the checkpoint as it is, so a state that was written by somebody else may lack
 * everything but the first three.
 */
export type CodebaseAnalysis = {
  primary_language: string | null;
  framework: string | null;
  patterns: readonly string[];
  languages?: readonly { name: string; files: number }[];
  frameworks?: readonly string[];
  layers?: readonly Layer[];
  test_framework?: string | null;
  build_tool?: string | null;
  commands?: ProjectCommands;
  /** How files and names are written: kebab-case, snake_case, PascalCase, camelCase. */
  naming?: { files: string | null; types: string | null; functions: string | null };
  /** Paths that show best how code is written here. */
  exemplars?: readonly string[];
  files?: number;
  confidence: number | null;
  source: 'agent' | 'heuristics';
};
