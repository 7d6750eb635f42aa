import type { Ask } from '../../bridge/bridge.js';
import { isBatonError } from '../../contracts/shared/errors.js';
import { creationPrompt } from '../agents/creation-prompt.js';
import { enhancementPrompt } from '../agents/enhancement-prompt.js';
import { heuristicAgents } from '../agents/heuristic-agents.js';
import { heuristicEnhancement } from '../agents/heuristic-enhancement.js';
import { readCreatedAgents } from '../agents/read-created-agents.js';
import { readEnhancement } from '../agents/read-enhancement.js';
import { recommendAgents } from '../agents/recommend-agents.js';
import { analysisPrompt } from '../analysis/analysis-prompt.js';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import { readAnalysis } from '../analysis/read-analysis.js';
import { assembleTemplate, checkOutput } from './assemble.js';
import { counted } from './counted.js';
import { keptAgents, keptNeeds } from './kept-agents.js';
import type { Making } from './making.js';
import { toProblem, validateTemplate } from './validate-template.js';

export type StepResult = {
  by: 'agent' | 'heuristics' | 'baton';
  summary: string;
  confidence: number | null;
};

export type Step = {
  phase: number;
  phase_name: string;
  /** In a dry run nothing is written. */
  writes?: true;
  run(making: Making): Promise<StepResult>;
};

const REVIEWER = 'architectural-reviewer';
const ENHANCER = 'agent-content-enhancer';
/** Several texts are written at once. */
const WRITING_TIMEOUT_SECONDS = 300;
const NAMED_MAX = 20;

export const STEPS: readonly Step[] = [
  { phase: 1, phase_name: 'codebase_analysis', run: analyse },
  { phase: 2, phase_name: 'manifest_generation', run: describe },
  { phase: 3, phase_name: 'settings_generation', run: settle },
  { phase: 4, phase_name: 'template_files', run: choose },
  { phase: 5, phase_name: 'agent_recommendation', run: recommend },
  { phase: 6, phase_name: 'agent_creation', run: createAgents },
  { phase: 7, phase_name: 'agent_enhancement', run: enhanceAgents },
  { phase: 8, phase_name: 'assembly', writes: true, run: assemble },
  { phase: 9, phase_name: 'validation', writes: true, run: validate },
];

async function analyse(making: Making): Promise<StepResult> {
  const [project, heuristics, samples] = [await making.project(), await making.heuristics(), await making.samples()];
  const { value, ...said } = await askOrDo(making, {
    phase: 1,
    phase_name: 'codebase_analysis',
    agent_name: REVIEWER,
    prompt: analysisPrompt(project, heuristics, samples),
    read: (text): CodebaseAnalysis => readAnalysis(text, heuristics),
    fallback: () => heuristics,
  });
  // The agent's own word for its confidence may stand beside its answer.
  const analysis = said.by === 'agent' ? { ...value, confidence: said.confidence ?? value.confidence } : value;
  making.memory.data.codebase_analysis = analysis;
  const kind = [analysis.primary_language ?? 'no recognised language', analysis.framework].filter(Boolean).join(', ');
  const { layers = [], patterns } = analysis;
  return {
    ...said,
    confidence: analysis.confidence,
    summary: `${counted(project.files.length, 'file')}, ${kind}; ${counted(layers.length, 'layer')}, ${counted(patterns.length, 'pattern')}`,
  };
}

async function describe(making: Making): Promise<StepResult> {
  const { manifest } = await making.parts();
  making.memory.data.manifest = manifest;
  const names = manifest.placeholders.map(({ name }) => name);
  return byBaton(`manifest.json with ${names.join(', ')}`);
}

async function settle(making: Making): Promise<StepResult> {
  const { settings } = await making.parts();
  making.memory.data.settings = settings;
  const commands = Object.keys(settings.commands);
  return byBaton(`settings.json, ${commands.length > 0 ? `commands ${commands.join(', ')}` : 'no commands found'}`);
}

async function choose(making: Making): Promise<StepResult> {
  const { paths, whole, secret } = await making.chosen();
  making.memory.data.template_files = paths;
  if (secret.length > 0) {
    making.warn(`left out, since they may hold a secret: ${someOf(secret)}`);
  }
  const { files } = await making.project();
  return byBaton(
    whole
      ? `${counted(paths.length, 'file')}, the whole project`
      : `${paths.length} of ${counted(files.length, 'file')}`,
  );
}

async function recommend(making: Making): Promise<StepResult> {
  const needs = recommendAgents(await making.analysis(), await making.existingAgents());
  making.memory.data.recommended_agents = needs;
  return byBaton(needs.length === 0 ? 'no agents' : needs.map(({ name }) => name).join(', '));
}

async function needsOf(making: Making) {
  const kept = keptNeeds(making.memory.data.recommended_agents);
  return kept ?? recommendAgents(await making.analysis(), await making.existingAgents());
}

async function createAgents(making: Making): Promise<StepResult> {
  const [needs, analysis] = [await needsOf(making), await making.analysis()];
  if (needs.length === 0) return withoutAgents(making);
  const { value, ...said } = await askOrDo(making, {
    phase: 6,
    phase_name: 'agent_creation',
    agent_name: REVIEWER,
    timeout_seconds: WRITING_TIMEOUT_SECONDS,
    prompt: creationPrompt(analysis, needs, await making.samples()),
    read: (text) => readCreatedAgents(text, needs),
    fallback: () => heuristicAgents(analysis, needs),
  });
  making.memory.data.agents = value;
  return { ...said, summary: counted(value.length, 'agent') };
}

async function enhanceAgents(making: Making): Promise<StepResult> {
  const analysis = await making.analysis();
  const agents = keptAgents(making.memory.data.agents) ?? heuristicAgents(analysis, await needsOf(making));
  if (agents.length === 0) return withoutAgents(making);
  const [samples, { paths }] = [await making.samples(), await making.chosen()];
  const { value, ...said } = await askOrDo(making, {
    phase: 7,
    phase_name: 'agent_enhancement',
    agent_name: ENHANCER,
    timeout_seconds: WRITING_TIMEOUT_SECONDS,
    prompt: enhancementPrompt(agents, analysis, samples, paths),
    read: (text) => readEnhancement(text, agents, paths),
    fallback: () => heuristicEnhancement(agents, analysis, samples, paths),
  });
  making.memory.data.agents = value;
  return { ...said, summary: `${counted(value.length, 'agent')} with examples and boundaries` };
}

function withoutAgents(making: Making): StepResult {
  making.memory.data.agents = [];
  return byBaton('no agents to write');
}

async function assemble(making: Making): Promise<StepResult> {
  const parts = await making.parts();
  await assembleTemplate(making.places, parts);
  return byBaton(`${counted(parts.paths.length, 'file')}, ${counted(parts.agents.length, 'agent')}`);
}

async function validate(making: Making): Promise<StepResult> {
  const parts = await making.parts();
  const { places } = making;
  // It was made before this start, and is gone since.
  if (checkOutput(places) === 'free') await assembleTemplate(places, parts);
  const { root, paths, templater } = parts;
  const findings = await validateTemplate(places.output, { root, paths, findName: templater.findName });
  if (findings.length > 0) throw toProblem(findings);
  return byBaton('gives the project back with its defaults, and leaves nothing behind with others');
}

type AgentAsk<T> = Ask<T> & { read: (text: string) => T; fallback: () => T | Promise<T> };
type Said<T> = { value: T; by: 'agent' | 'heuristics'; confidence: number | null };

/** Every ask has something to fall back on, and whoever reads the result is told. */
async function askOrDo<T>(making: Making, ask: AgentAsk<T>): Promise<Said<T>> {
  const { memory, places } = making;
  if (!memory.ask) return { value: await ask.fallback(), by: 'heuristics', confidence: null };
  const context = { project_path: places.project, output_path: places.output, template_name: places.name };
  const { value, source, confidence, warning } = await memory.ask({ ...ask, read: asSyntax(ask.read), context });
  const told = warning?.replace(/^fallback: /, '');
  if (source === 'fallback') {
    making.warn(`phase ${ask.phase} by heuristics: ${told ?? 'there was no usable answer'}`);
    return { value, by: 'heuristics', confidence: null };
  }
  if (told) making.warn(`phase ${ask.phase}: ${told}`);
  return { value, by: 'agent', confidence };
}

/** For the bridge, as for JSON.parse, what is no JSON is an error of syntax. */
function asSyntax<T>(read: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return read(text);
    } catch (failure) {
      if (isBatonError(failure) && failure.code === 'PARSE_ERROR') throw new SyntaxError(failure.message);
      throw failure;
    }
  };
}

function byBaton(summary: string): StepResult {
  return { by: 'baton', summary, confidence: null };
}

function someOf(names: readonly string[]): string {
  const more = names.length - NAMED_MAX;
  return names.slice(0, NAMED_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
