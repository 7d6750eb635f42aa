import type { CodebaseAnalysis, ProjectCommands } from '../analysis/codebase-analysis.js';
import type { AgentDefinition, AgentNeed } from './agent-definition.js';

const PRIORITY_BEST = 9;

/** Phase 6 without an agent: one definition for each need. */
export function heuristicAgents(analysis: CodebaseAnalysis, needs: readonly AgentNeed[]): AgentDefinition[] {
  return needs.map((need, index) => agentFromNeed(need, index, analysis));
}

type Known = Partial<Pick<CodebaseAnalysis, 'commands' | 'naming' | 'layers'>>;

/** `place` is that of the need in the order of their use. */
export function agentFromNeed(need: AgentNeed, place: number, known: Known = {}): AgentDefinition {
  const { name, description, technologies } = need;
  return {
    name,
    description,
    technologies: [...new Set(technologies)],
    priority: Math.max(1, PRIORITY_BEST - place),
    body: bodyOf(need, known),
    source: 'heuristics',
  };
}

function bodyOf(
  { name, description, reason, technologies, about }: AgentNeed,
  { commands, naming, layers }: Known,
): string {
  const layer = layers?.find((one) => one.name === about);
  const where = layer && layer.folders.length > 0 ? [`It lies in: ${layer.folders.map(code).join(', ')}.`] : [];
  const styles = Object.entries(naming ?? {}).flatMap(([what, style]) =>
    style ? [`- Names of ${what}: ${style}.`] : [],
  );
  const parts = [
    `# ${titleOf(name)}`,
    description,
    '## Why it is there',
    [`${reason}.`, ...where].join(' '),
    ...(technologies.length > 0 ? ['## Technologies', list([...new Set(technologies)])] : []),
    '## How it works',
    list([
      'Read the nearest existing file of the same kind first and write like it.',
      'Make the smallest change that does what was asked.',
      'Run the tests before and after the change, and say what they showed.',
    ]),
    ...(styles.length > 0 ? ['## Names', styles.join('\n')] : []),
    ...commandPart(commands),
  ];
  return parts.join('\n\n');
}

function commandPart(commands: ProjectCommands = {}): string[] {
  const lines = Object.entries(commands).flatMap(([what, command]) => (command ? [`- ${what}: ${code(command)}`] : []));
  return lines.length > 0 ? ['## Commands', lines.join('\n')] : [];
}

function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}

function code(text: string): string {
  return text.includes('`') ? text : `\`${text}\``;
}
