import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import type { Sample } from '../analysis/sample-files.js';
import { boundedPrompt, factsOf, PROMPT_TOKENS_MAX } from '../answer/prompt-text.js';
import type { AgentDefinition } from './agent-definition.js';

const INTRODUCTION = `You extend definitions of AI agents with what the code of a project shows.
For each agent below give, under exactly its name: examples taken from the files below as they stand there, what the agent always does, what it never does, what it asks before doing, and which template files it works with. Take code only from the files below; [secret] marks what was taken out and stays as it is.`;

const FORM = {
  agents: [
    {
      name: 'the name of the agent',
      examples: [{ title: 'what it shows', path: 'the file it is from', code: 'a few lines' }],
      always: ['one sentence each'],
      never: ['one sentence each'],
      ask_first: ['one sentence each'],
      related_files: ['paths from the list of template files'],
    },
  ],
  overall_confidence: 0.9,
};

const RULES = 'At most three examples of at most forty lines for each agent. Confidence is a number from 0 to 1.';
const FILES_MAX = 200;
const BODY_CHARS_MAX = 1_200;

/** Phase 7: what the agent is asked to add. */
export function enhancementPrompt(
  agents: readonly AgentDefinition[],
  analysis: CodebaseAnalysis,
  samples: readonly Sample[],
  templateFiles: readonly string[],
  { tokensMax = PROMPT_TOKENS_MAX }: { tokensMax?: number } = {},
): string {
  const shown = agents.map(({ name, description, technologies, body }) => ({
    name,
    description,
    technologies,
    body: body.slice(0, BODY_CHARS_MAX),
  }));
  const quotes = [
    { about: 'The project', text: factsOf(analysis) },
    { about: 'The agents', text: JSON.stringify(shown, null, 1) },
    { about: 'The template files', text: templateFiles.slice(0, FILES_MAX).join('\n') },
  ];
  return boundedPrompt(
    { head: ['# Agents with examples', INTRODUCTION], quotes, samples, form: FORM, rules: RULES },
    tokensMax,
  );
}
