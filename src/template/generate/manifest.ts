import type { CodebaseAnalysis, Layer } from '../analysis/codebase-analysis.js';
import type { Project } from '../project/project.js';
import { sourceId } from './earlier-template.js';
import type { Placeholder } from './placeholders.js';

export const MANIFEST_VERSION = '1.0.0';

/** Phase 2: manifest.json, what a template is and what may be set in it. */
export type Manifest = {
  schema_version: string;
  name: string;
  language: string | null;
  framework: string | null;
  frameworks: readonly string[];
  patterns: readonly string[];
  layers: readonly Layer[];
  placeholders: readonly Placeholder[];
  source_project: string;
  /** See `sourceId`. */
  source_id: string;
  /** How sure whoever looked at the project was; null: nobody said. */
  confidence: number | null;
  confidence_source: 'agent' | 'heuristics';
};

export function makeManifest(
  name: string,
  project: Project,
  analysis: CodebaseAnalysis,
  placeholders: readonly Placeholder[],
): Manifest {
  const { framework, frameworks, layers = [] } = analysis;
  return {
    schema_version: MANIFEST_VERSION,
    name,
    language: analysis.primary_language,
    framework,
    frameworks: frameworks ?? (framework === null ? [] : [framework]),
    patterns: analysis.patterns,
    layers,
    placeholders,
    source_project: project.name,
    source_id: sourceId(project.root),
    confidence: analysis.confidence,
    confidence_source: analysis.source,
  };
}
