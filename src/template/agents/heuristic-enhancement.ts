import { layerOf, showsPattern } from '../analysis/architecture.js';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import type { Sample } from '../analysis/sample-files.js';
import { compareText } from '../project/compare-text.js';
import { roleOf } from '../project/file-role.js';
import { isCode, languageOf } from '../project/languages.js';
import type { AgentDefinition } from './agent-definition.js';
import { kebab } from './agent-name.js';
import { type Enhancement, type Example, enhancedBody } from './enhanced-body.js';

const EXAMPLES_MAX = 2;
const EXAMPLE_LINES_MAX = 30;
const RELATED_MAX = 6;

type Boundaries = Pick<Enhancement, 'always' | 'never' | 'askFirst'>;

const EVERYWHERE: Boundaries = {
  always: ['Follow the names and the layout of the files around the change.', 'Add or change a test for what changes.'],
  never: ['Put passwords, tokens or keys into files.', 'Change files that a build makes.'],
  askFirst: ['Before adding a dependency.', 'Before changing a public interface or the form of stored data.'],
};

/** What holds besides, for agents whose name or pattern says the word. */
const FOR_WORDS: readonly ({ words: RegExp } & Partial<Boundaries>)[] = [
  {
    words: /\btest\b/,
    always: ['See a new test fail once before it passes.'],
    never: ['Weaken or skip a test to make it pass.'],
    askFirst: ['Before changing what an existing test expects.'],
  },
  {
    words: /\b(?:repository|data|database|storage)\b/,
    always: ['Pass values to queries as parameters.'],
    never: ['Let details of the storage leak out of this layer.'],
    askFirst: ['Before changing a migration that has been applied.'],
  },
  {
    words: /\b(?:api|controller|middleware|fastify|express|rest)\b/,
    always: ['Check input where it comes in.'],
    never: ['Answer with inner details of an error.'],
  },
  {
    words: /\b(?:domain|mvvm|mvc|hexagonal|layered|service|application)\b/,
    always: ['Keep dependencies pointing inwards, as they do now.'],
    never: ['Call a layer that this one does not know yet.'],
  },
  {
    words: /\b(?:ui|component|react|vue|svelte|angular|maui|hooks)\b/,
    always: ['Keep screens usable by keyboard and readable by assistive programs.'],
    never: ['Put rules of the domain into a view.'],
  },
  {
    words: /\breviewer\b/,
    always: ['Name the file and line of every remark.'],
    never: ['Rewrite code that was only to be reviewed.'],
  },
  { words: /\bcommand line\b/, always: ['Keep exit codes and the form of output stable.'] },
];

/** Phase 7 without an agent: examples are taken from the sampled code as it is. */
export function heuristicEnhancement(
  agents: readonly AgentDefinition[],
  analysis: CodebaseAnalysis,
  samples: readonly Sample[],
  templateFiles: readonly string[],
): AgentDefinition[] {
  return agents.map((agent) => ({
    ...agent,
    body: enhancedBody(agent.body, {
      examples: examplesFor(agent, analysis, samples),
      ...boundariesFor(agent, analysis),
      relatedFiles: relatedTo(agent, templateFiles),
    }),
  }));
}

export function boundariesFor({ name }: AgentDefinition, { commands }: Pick<CodebaseAnalysis, 'commands'>): Boundaries {
  const words = name.replaceAll('-', ' ');
  const found = FOR_WORDS.filter((rule) => rule.words.test(words));
  const all = (what: keyof Boundaries): string[] => [...EVERYWHERE[what], ...found.flatMap((rule) => rule[what] ?? [])];
  const run = commands?.test ? [`Run \`${commands.test}\` before calling work done.`] : [];
  return { always: [...all('always'), ...run], never: all('never'), askFirst: all('askFirst') };
}

/** Best first: what shows the agent's own subject, then code of the same technology, then any code. */
function examplesFor(
  agent: AgentDefinition,
  { primary_language }: CodebaseAnalysis,
  samples: readonly Sample[],
): Example[] {
  return samples
    .filter(({ language }) => isCode(language))
    .map((sample, index) => ({ sample, fit: fitOf(agent, sample.path), index }))
    .sort(
      (one, other) => other.fit - one.fit || preferred(one.sample) - preferred(other.sample) || one.index - other.index,
    )
    .slice(0, EXAMPLES_MAX)
    .map(({ sample }) => exampleOf(sample));

  function preferred({ language }: Sample): number {
    return language === primary_language ? 0 : 1;
  }
}

/** How much a file has to do with an agent: 0 is nothing. */
function fitOf({ name, technologies }: AgentDefinition, path: string): number {
  const words = name.split('-').filter((word) => word.length > 2 && !EMPTY_WORDS.has(word));
  const role = roleOf(path, languageOf(path));
  const layer = layerOf({ path, role })?.layer ?? '';
  const lower = path.toLowerCase();
  const patterns = technologies.filter((pattern) => showsPattern(path, pattern)).length;
  const named = words.filter((word) => lower.includes(word)).length;
  const ofLayer = words.some((word) => kebab(layer).startsWith(word)) ? 2 : 0;
  return (
    patterns * 3 +
    named +
    ofLayer +
    (role === 'test' && name.includes('test') ? 3 : 0) -
    (role === 'test' && !name.includes('test') ? 2 : 0)
  );
}

const EMPTY_WORDS: ReadonlySet<string> = new Set(['specialist', 'writer', 'reviewer', 'code', 'model', 'the', 'and']);

function exampleOf({ path, text, language }: Sample): Example {
  const lines = text.trimEnd().split('\n');
  const start = firstLineOfCode(lines);
  const shown = lines.slice(start, start + EXAMPLE_LINES_MAX);
  const more = lines.length > start + shown.length ? ['…'] : [];
  return { title: titleOf(path), path, language, code: [...shown, ...more].join('\n') };
}

/** Behind the licence at the top, where there is one. */
function firstLineOfCode(lines: readonly string[]): number {
  const index = lines.findIndex(
    (line) => line.trim() !== '' && !/^\s*(?:\/\/|\/\*|\*|#(?!include|!\[)|--|"""|using\s|import\s)/.test(line),
  );
  return index === -1 || lines.length - index < 3 ? 0 : index;
}

function titleOf(path: string): string {
  return `\`${path.slice(path.lastIndexOf('/') + 1).replaceAll('`', '')}\``;
}

function relatedTo(agent: AgentDefinition, templateFiles: readonly string[]): string[] {
  return templateFiles
    .map((file) => ({ file, fit: fitOf(agent, file) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit || compareText(one.file, other.file))
    .slice(0, RELATED_MAX)
    .map(({ file }) => file);
}
