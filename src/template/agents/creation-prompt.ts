import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import type { Sample } from '../analysis/sample-files.js';
import { boundedPrompt, factsOf, PROMPT_TOKENS_MAX } from '../answer/prompt-text.js';
import type { AgentNeed } from './agent-definition.js';

const INTRODUCTION = `You write definitions of AI agents for a template that is made from a software project.
Write one agent for each need below, under exactly its name. An agent's text is Markdown without front matter. It says in a few sections what the agent is for, how it works in a project like this one, and what it looks at first. It is about projects of this kind: do not mention people, hosts or secrets.`;

const FORM = {
  agents: [
    {
      name: 'the name of the need',
      description: 'one sentence that says when to use it',
      technologies: ['names'],
      priority: 7,
      body: '# Title\n\nMarkdown …',
    },
  ],
  overall_confidence: 0.9,
};

const RULES = 'Priority is a whole number from 1 to 10, 10 for the most useful. Confidence is a number from 0 to 1.';

/** Phase 6: what the agent is asked to write. */
export function creationPrompt(
  analysis: CodebaseAnalysis,
  needs: readonly AgentNeed[],
  samples: readonly Sample[],
  { tokensMax = PROMPT_TOKENS_MAX }: { tokensMax?: number } = {},
): string {
  const quotes = [
    { about: 'The project', text: factsOf(analysis) },
    { about: 'The agents that are needed', text: JSON.stringify(needs, null, 1) },
  ];
  return boundedPrompt(
    { head: ['# Agents for a template', INTRODUCTION], quotes, samples, form: FORM, rules: RULES },
    tokensMax,
  );
}
