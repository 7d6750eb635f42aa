import path from 'node:path';
import type { AgentInvoker, BridgeOptions } from '../../bridge/bridge.js';
import { openBridge } from '../../bridge/open-bridge.js';
import { TEMPLATE_CREATE } from '../../contracts/bridge/bridge-profile.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { checkOutput, type Places } from './assemble.js';
import { Making, type Memory, withoutFiles } from './making.js';
import { STEPS, type Step, type StepResult } from './steps.js';

export type PhaseReport = {
  phase: number;
  phase_name: string;
  /** `earlier`: before this start of the program. */
  by: StepResult['by'] | 'earlier';
  summary: string;
  confidence: number | null;
};

export type CreatedTemplate = {
  name: string;
  output: string;
  /** The phase that was begun with after a resume. */
  resumed_at: number | null;
  phases: readonly PhaseReport[];
  files: number;
  agents: readonly string[];
  placeholders: readonly string[];
  warnings: readonly string[];
};

/** An agent is to be asked: the files for it are written, and the program is to end with exit code 42. */
export type Checkpointed = { checkpoint: { dir: string; phase: number; phase_name: string; agent_name: string } };

export type TemplateOrder = {
  /** Where the three files lie. */
  dir: string;
  /** What was said for certain; what is left out is taken from the checkpoint. */
  project?: string | undefined;
  name?: string | undefined;
  output?: string | undefined;
  defaultOutput(name: string): string;
  resume: boolean;
  /** False: nobody is asked. */
  agents: boolean;
  dryRun: boolean;
  /** Whatever template lies where this one is to be made may go. */
  replace?: boolean;
  scrub(text: string): string;
  invoker?: AgentInvoker;
  told?(report: PhaseReport): void;
};

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/;

class Paused extends Error {}

export async function createTemplate(order: TemplateOrder): Promise<CreatedTemplate | Checkpointed> {
  const { memory, places, asked } = open(order);
  checkOutput(places);
  const making = new Making(memory, places, order.scrub);
  try {
    const { phases, resumedAt } = await runPhases(making, order);
    const { manifest, agents, paths } = await making.parts();
    memory.finish();
    return {
      name: places.name,
      output: places.output,
      resumed_at: resumedAt,
      phases,
      files: paths.length,
      agents: agents.map(({ name }) => name),
      placeholders: manifest.placeholders.map(({ name }) => name),
      warnings: making.warnings,
    };
  } catch (failure) {
    const last = asked();
    if (failure instanceof Paused && last) return { checkpoint: { dir: order.dir, ...last } };
    throw failure;
  }
}

async function runPhases(making: Making, order: TemplateOrder) {
  const { memory } = making;
  const phases: PhaseReport[] = [];
  const begin = memory.state?.phase ?? 1;
  let resumedAt: number | null = null;
  for (const step of STEPS) {
    const { phase, phase_name } = step;
    const done = memory.state?.completed_phases?.find((completed) => completed.phase === phase);
    if (phase < begin || done) {
      phases.push(earlier(step, done?.result_summary));
      continue;
    }
    const result = step.writes && order.dryRun ? notWritten() : await step.run(making);
    memory.completed({ phase, phase_name, result_summary: summaryOf(result) });
    // An answer that was waiting belongs to the phase before: what begins now is the next.
    if (memory.state) resumedAt ??= phase === begin && memory.ask && asksAgents(step) ? phase + 1 : phase;
    const report = { phase, phase_name, ...result };
    phases.push(report);
    order.told?.(report);
  }
  return { phases, resumedAt };
}

function asksAgents({ phase }: Step): boolean {
  return TEMPLATE_CREATE.phases.some((row) => row.phase === phase);
}

function earlier({ phase, phase_name }: Step, summary = 'done before'): PhaseReport {
  return { phase, phase_name, by: 'earlier', summary, confidence: null };
}

function notWritten(): StepResult {
  return { by: 'baton', summary: 'not done in a dry run', confidence: null };
}

function summaryOf({ summary, by, confidence }: StepResult): string {
  const sure = confidence === null ? '' : `, confidence ${confidence}`;
  return by === 'heuristics' ? `${summary} (by heuristics)` : `${summary}${sure}`;
}

type Opened = {
  memory: Memory;
  places: Places;
  asked(): { phase: number; phase_name: string; agent_name: string } | undefined;
};

function open(order: TemplateOrder): Opened {
  // Nothing to remember and nobody to ask: the project is not written to.
  const filesNeeded = order.resume || (order.agents && !order.dryRun);
  if (!filesNeeded) return { memory: withoutFiles(), places: placesOf(order, {}), asked: () => undefined };
  const { state } = openBridge({ dir: order.dir, resume: order.resume });
  const places = placesOf(order, state ?? {});
  let last: ReturnType<Opened['asked']>;
  const bridge = openBridge({
    dir: order.dir,
    resume: order.resume,
    output_path: places.output,
    project_path: places.project,
    template_name: places.name,
    ...(order.invoker && { invoker: order.invoker }),
    exit: () => {
      throw new Paused();
    },
  });
  const memory: Memory = {
    state: bridge.state,
    data: bridge.data,
    completed: (phase) => bridge.completed(phase),
    finish: () => bridge.finish(),
    ...(order.agents && {
      ask: (ask) => {
        last = { phase: ask.phase, phase_name: ask.phase_name, agent_name: ask.agent_name };
        return bridge.ask(ask);
      },
    }),
  };
  return { memory, places, asked: () => last };
}

/** What was said now holds before what the checkpoint says. */
function placesOf(order: TemplateOrder, kept: Pick<BridgeOptions, 'output_path' | 'project_path' | 'template_name'>) {
  const name = order.name ?? kept.template_name;
  if (name === undefined) throw new BatonError('USAGE', 'name the template with --name');
  if (!NAME.test(name)) {
    const rule = 'letters, digits, ., _ and -, at most 64, beginning with a letter or digit and not ending in a dot';
    throw new BatonError('USAGE', `a template is named by ${rule}, not ${JSON.stringify(name.slice(0, 80))}`);
  }
  const same = order.name === undefined || order.name === kept.template_name;
  const output = order.output ?? (same ? kept.output_path : undefined) ?? order.defaultOutput(name);
  const project = order.project ?? kept.project_path ?? order.dir;
  return {
    name,
    project: path.resolve(order.dir, project),
    output: path.resolve(order.dir, output),
    replace: order.replace === true,
  };
}
