import { boundedPrompt, factsOf, PROMPT_TOKENS_MAX } from '../answer/prompt-text.js';
import { compareText } from '../project/compare-text.js';
import type { Project } from '../project/project.js';
import type { CodebaseAnalysis } from './codebase-analysis.js';
import type { Sample } from './sample-files.js';

const INTRODUCTION = `You review the architecture of a software project, so that a template for new projects of its kind can be made from it.
Say what it is made of and how it is built. Judge by the files below; where they do not tell, say less and lower your confidence.`;

const FORM = {
  technology_stack: {
    primary_language: 'name of the language, or null',
    frameworks: ['most important first'],
    test_framework: 'name, or null',
    build_tool: 'name, or null',
    confidence: 0.9,
  },
  architecture: {
    patterns: ['MVVM, Repository, …'],
    layers: [{ name: 'domain', folders: ['src/domain'] }],
    confidence: 0.9,
  },
  exemplars: ['paths of files that show best how code is written here'],
  overall_confidence: 0.9,
};

const RULES = `Confidence is a number from 0 to 1. Paths are relative to the project, as given above. Leave out a field that you cannot tell.`;
const DEPTH_SHOWN = 3;
const FOLDERS_MAX = 150;

/** Phase 1: what the agent is asked about the codebase. */
export function analysisPrompt(
  project: Project,
  analysis: CodebaseAnalysis,
  samples: readonly Sample[],
  { tokensMax = PROMPT_TOKENS_MAX }: { tokensMax?: number } = {},
): string {
  const quotes = [
    { about: 'What names and manifests tell, found without reading the code', text: factsOf(analysis) },
    { about: 'Folders with their number of files', text: folderList(project) },
  ];
  return boundedPrompt(
    { head: ['# Codebase analysis', INTRODUCTION], quotes, samples, form: FORM, rules: RULES },
    tokensMax,
  );
}

/** The folders of the upper levels, in the order of their names. */
function folderList({ name, files, truncated: more }: Project): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.split('/').slice(0, -1).slice(0, DEPTH_SHOWN).join('/') || '.';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const lines = [...counts]
    .sort(([one], [other]) => compareText(one, other))
    .map(([folder, count]) => `${folder} ${count}`);
  const head = `${name.slice(0, 100)}: ${files.length} files${more ? ', and more' : ''}`;
  const shown = lines.slice(0, FOLDERS_MAX);
  const rest = lines.length > shown.length ? [`[${lines.length - shown.length} more folders]`] : [];
  return [head, ...shown, ...rest].join('\n');
}
