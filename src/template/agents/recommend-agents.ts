import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import type { AgentNeed } from './agent-definition.js';
import { isAgentName, kebab } from './agent-name.js';

export const AGENTS_MAX = 8;
const PATTERNS_MAX = 3;
const LAYERS_MAX = 2;
const LAYER_FILES_MIN = 3;

type LayerRole = { name: string; does: string };

/** Layers that somebody should know well. */
const LAYER_AGENTS: Readonly<Record<string, LayerRole>> = {
  domain: { name: 'domain-model-specialist', does: 'Keeps the domain model free of everything outside of it' },
  application: {
    name: 'application-service-specialist',
    does: 'Writes use cases that only arrange what the domain does',
  },
  infrastructure: {
    name: 'infrastructure-specialist',
    does: 'Connects the project to other systems behind its own interfaces',
  },
  data: { name: 'data-access-specialist', does: 'Writes and reviews storage, queries and migrations' },
  api: { name: 'api-specialist', does: 'Designs endpoints, checks their input and answers with clear errors' },
  presentation: { name: 'ui-specialist', does: 'Builds screens and components as the existing ones are built' },
  cli: { name: 'command-line-specialist', does: 'Writes commands with clear options, messages and exit codes' },
  jobs: { name: 'background-job-specialist', does: 'Writes work that may be repeated or interrupted without harm' },
};

/** From the analysis alone: who could help in a project like this one, the most useful first. */
export function recommendAgents(analysis: CodebaseAnalysis, existing: readonly string[]): AgentNeed[] {
  const taken = new Set(existing.map((name) => name.trim().toLowerCase()));
  const needs: AgentNeed[] = [];
  for (const need of candidates(analysis)) {
    if (taken.has(need.name) || !isAgentName(need.name) || needs.length >= AGENTS_MAX) continue;
    taken.add(need.name);
    needs.push(need);
  }
  return needs;
}

function* candidates(analysis: CodebaseAnalysis): Generator<AgentNeed> {
  const language = analysis.primary_language;
  const technologies = [language, analysis.framework].filter((name) => name !== null);
  yield* frameworkAgent(analysis);
  for (const pattern of analysis.patterns.slice(0, PATTERNS_MAX)) yield patternAgent(pattern, technologies);
  yield testAgent(analysis, technologies);
  for (const layer of (analysis.layers ?? [])
    .filter(({ files }) => files >= LAYER_FILES_MIN)
    .slice(0, LAYERS_MAX * 3)) {
    const role = LAYER_AGENTS[layer.name.toLowerCase()];
    if (!role) continue;
    const reason = `${layer.files} files lie in the layer ${layer.name}`;
    yield { name: role.name, description: `${role.does}.`, reason, technologies, about: layer.name };
  }
  if (language !== null) {
    const description = `Writes ${language} as the existing code of the project is written.`;
    yield {
      name: `${kebab(language)}-specialist`,
      description,
      reason: `The project is written in ${language}`,
      technologies,
      about: null,
    };
  }
  yield* everywhere(technologies);
}

function* frameworkAgent({ framework, primary_language }: CodebaseAnalysis): Generator<AgentNeed> {
  if (framework === null || kebab(framework) === '') return;
  yield {
    name: `${kebab(framework)}-specialist`,
    description: `Builds features with ${framework} as the project uses it.`,
    reason: `The project is built on ${framework}`,
    technologies: [framework, primary_language].filter((name) => name !== null),
    about: null,
  };
}

function patternAgent(pattern: string, technologies: readonly string[]): AgentNeed {
  return {
    name: `${kebab(pattern)}-specialist`,
    description: `Applies the pattern ${pattern} as the project does, and sees where code departs from it.`,
    reason: `The pattern ${pattern} was found in the project`,
    technologies: [...technologies, pattern],
    about: pattern,
  };
}

function testAgent({ test_framework }: CodebaseAnalysis, technologies: readonly string[]): AgentNeed {
  const how = test_framework ? ` with ${test_framework}` : '';
  return {
    name: 'test-writer',
    description: `Writes and repairs tests${how}, first the one that fails.`,
    reason: test_framework ? `The project tests with ${test_framework}` : 'Every project needs tests',
    technologies: test_framework ? [...technologies, test_framework] : technologies,
    about: 'tests',
  };
}

/** Of use in every project, so that there are at least two whatever is known. */
function* everywhere(technologies: readonly string[]): Generator<AgentNeed> {
  const reason = 'Of use in every project';
  const about = null;
  yield {
    name: 'code-reviewer',
    description: 'Reviews changes for mistakes, clarity and fit with the rest.',
    reason,
    technologies,
    about,
  };
  yield {
    name: 'documentation-writer',
    description: 'Keeps what is written about the project true and short.',
    reason,
    technologies,
    about,
  };
  yield {
    name: 'refactoring-specialist',
    description: 'Makes code simpler without changing what it does.',
    reason,
    technologies,
    about,
  };
}
