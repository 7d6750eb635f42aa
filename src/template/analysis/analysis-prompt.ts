import { asData, boundedPrompt, DATA_RULE, factsOf, JSON_RULE, PROMPT_TOKENS_MAX } from '../answer/prompt-text.js';
import type { Project } from '../project/project.js';
import type { CodebaseAnalysis } from './codebase-analysis.js';
import type { Sample } from './sample-files.js';
import { truncated } from './tokens.js';

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
const TREE_BYTES_MAX = 6_000;

/** Phase 1: what the agent is asked about the codebase. */
export function analysisPrompt(
  project: Project,
  analysis: CodebaseAnalysis,
  samples: readonly Sample[],
  { tokensMax = PROMPT_TOKENS_MAX }: { tokensMax?: number } = {},
): string {
  const parts = [
    '# Codebase analysis',
    INTRODUCTION,
    DATA_RULE,
    asData('What names and manifests tell, found without reading the code', factsOf(analysis)),
    asData('Folders with their number of files', folderList(project, Math.min(TREE_BYTES_MAX, tokensMax))),
  ];
  return boundedPrompt(parts, samples, `${JSON_RULE}\n${JSON.stringify(FORM)}\n${RULES}`, tokensMax);
}

/** The folders of the two upper levels, in the order of their names. */
function folderList({ name, files, truncated: more }: Project, bytesMax: number): string {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = path.split('/').slice(0, -1).slice(0, 3).join('/') || '.';
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const lines = [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, count]) => `${folder} ${count}`);
  const head = `${name.slice(0, 100)}: ${files.length} files${more ? ', and more' : ''}`;
  const { text, cut } = truncated([head, ...lines].join('\n'), bytesMax);
  return cut ? `${text}\n[more folders left out]` : text;
}
