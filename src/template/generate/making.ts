import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Answer, Ask, Bridge } from '../../bridge/bridge.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { isObject } from '../../contracts/shared/is-object.js';
import { analyseHeuristically } from '../analysis/analyse-heuristically.js';
import type { CodebaseAnalysis } from '../analysis/codebase-analysis.js';
import { type Sample, sampleFiles } from '../analysis/sample-files.js';
import type { Project } from '../project/project.js';
import { scanProject } from '../project/scan-project.js';
import type { Places, TemplateParts } from './assemble.js';
import { type ChosenFiles, chooseFiles } from './choose-files.js';
import { keptAgents, keptNames } from './kept-agents.js';
import { makeManifest } from './manifest.js';
import { packageFacts } from './package-facts.js';
import { createTemplater, type Templater } from './placeholders.js';
import { makeSettings } from './settings.js';
import { readSourceFile } from './source-file.js';

/** What the phases need of a bridge; without `ask` nobody is asked. */
export type Memory = Pick<Bridge, 'state' | 'data' | 'completed' | 'finish'> & {
  ask?: <T>(ask: Ask<T>) => Promise<Answer<T>>;
};

export function withoutFiles(): Memory {
  return { state: null, data: {}, completed: () => {}, finish: () => {} };
}

const PACKAGE_FILE_BYTES_MAX = 1024 * 1024;

/**
 * A template in the making. What an earlier phase found is taken from the checkpoint; what is not there is found again,
 * once, when it is needed. Paths and contents are never taken from a checkpoint: it lies in the project.
 */
export class Making {
  readonly memory: Memory;
  readonly places: Places;
  private readonly scrub: (text: string) => string;
  private readonly found = new Map<string, unknown>();

  constructor(memory: Memory, places: Places, scrub: (text: string) => string) {
    this.memory = memory;
    this.places = places;
    this.scrub = scrub;
  }

  /** Kept in the checkpoint: whoever reads the result in the end is told of all phases. */
  get warnings(): readonly string[] {
    const { warnings } = this.memory.data;
    return Array.isArray(warnings) ? warnings.filter(isText) : [];
  }

  warn(text: string): void {
    const { warnings } = this;
    this.memory.data.warnings = warnings.includes(text) ? warnings : [...warnings, text];
  }

  /** Without the template itself, when it is made inside of the project. */
  async project(): Promise<Project> {
    return this.once('project', async () => {
      const project = await scanProject(this.places.project);
      const output = path.relative(project.root, this.places.output).split(path.sep).join('/');
      const files = project.files.filter(({ path: file }) => !file.startsWith(`${output}/`));
      if (files.length > 0) return { ...project, files };
      const reason = `${project.root} has no files that a template could be made of`;
      throw new BatonError('INPUT_UNREADABLE', reason, { file: project.root });
    });
  }

  async heuristics(): Promise<CodebaseAnalysis> {
    return this.once('heuristics', async () => analyseHeuristically(await this.project()));
  }

  /** The one that was kept may have been written by others, and say little. */
  async analysis(): Promise<CodebaseAnalysis> {
    const heuristics = await this.heuristics();
    const kept = this.memory.data.codebase_analysis;
    return isObject(kept) ? withKept(heuristics, kept) : heuristics;
  }

  async samples(): Promise<readonly Sample[]> {
    return this.once('samples', async () =>
      sampleFiles(await this.project(), await this.analysis(), { scrub: this.scrub }),
    );
  }

  async templater(): Promise<Templater> {
    return this.once('templater', async () => {
      const { root, name } = await this.project();
      return createTemplater(packageFacts(name, (file) => readSourceFile(root, file, PACKAGE_FILE_BYTES_MAX)?.text));
    });
  }

  async chosen(): Promise<ChosenFiles> {
    return this.once('chosen', async () =>
      chooseFiles(await this.project(), await this.analysis(), { scrub: this.scrub }),
    );
  }

  async existingAgents(): Promise<readonly string[]> {
    const { data } = this.memory;
    data.existing_agents ??= {
      user_custom: markdownNames(path.join(this.places.project, '.claude', 'agents')),
      // Those of an earlier version of the template are replaced with it.
      template: [],
      global: [],
    };
    return keptNames(data.existing_agents) ?? [];
  }

  async parts(): Promise<TemplateParts> {
    const [project, analysis, templater] = [await this.project(), await this.analysis(), await this.templater()];
    const { paths } = await this.chosen();
    return {
      manifest: makeManifest(this.places.name, project, analysis, templater.placeholders),
      settings: makeSettings(analysis, project),
      agents: keptAgents(this.memory.data.agents) ?? [],
      paths,
      root: project.root,
      templater,
    };
  }

  private async once<T>(key: string, find: () => Promise<T>): Promise<T> {
    if (!this.found.has(key)) this.found.set(key, await find());
    return this.found.get(key) as T;
  }
}

/** Only what has the right form counts. */
function withKept(heuristics: CodebaseAnalysis, kept: Record<string, unknown>): CodebaseAnalysis {
  const result: Record<string, unknown> = { ...heuristics };
  for (const [key, value] of Object.entries(kept)) if (FORMS[key]?.(value)) result[key] = value;
  return result as CodebaseAnalysis;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

const FORMS: Readonly<Record<string, (value: unknown) => boolean>> = {
  primary_language: isTextOrNull,
  framework: isTextOrNull,
  test_framework: isTextOrNull,
  build_tool: isTextOrNull,
  patterns: isTexts,
  frameworks: isTexts,
  exemplars: isTexts,
  layers: (value) =>
    Array.isArray(value) && value.every((layer) => isObject(layer) && isText(layer.name) && isTexts(layer.folders)),
  naming: (value) => isObject(value) && ['files', 'types', 'functions'].every((key) => isTextOrNull(value[key])),
  commands: (value) => isObject(value) && Object.values(value).every(isText),
  confidence: (value) => value === null || (typeof value === 'number' && value >= 0 && value <= 1),
  source: (value) => value === 'agent' || value === 'heuristics',
};

function markdownNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.slice(0, -'.md'.length))
      .sort();
  } catch {
    return [];
  }
}
