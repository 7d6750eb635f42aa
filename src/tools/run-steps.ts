import type { ExecutionOutput } from '../contracts/generated/types/stage-execution.js';
import type { PlanStep } from '../contracts/generated/types/stage-plan.js';
import type { Clock } from '../engine/ports.js';
import { type Confirmation, confirmationOf } from './confirmation.js';
import { fitOutput, type StepResult } from './fit-output.js';
import { type Around, type Evidence, failure, type ToolEnd, type ToolFailure } from './tool.js';
import type { Toolbox } from './toolbox.js';

export type StepFailure = ToolFailure & { step_index: number; tool: string };

export type StepsEnd =
  | { needsConfirmation: Confirmation }
  | {
      output: ExecutionOutput;
      failures: StepFailure[];
      end: null | 'tool_failed_recoverably' | 'tool_failed_fatally';
    };

type Options = Around & {
  toolbox: Toolbox;
  /** Names of the tools that this stage may run. */
  allowed: readonly string[];
  clock: Pick<Clock, 'monotonicMs'>;
  /** The hash of the steps that a person has agreed to. */
  confirmed: string | null;
};

/**
 * Runs the steps of a plan in their order. Whether one of them has to be agreed to is decided before the first runs.
 * Rejects when the signal was aborted, or when something that a tool started could not be ended.
 */
export async function runSteps(steps: readonly PlanStep[], options: Options): Promise<StepsEnd> {
  const { toolbox, allowed, confirmed } = options;
  const isAllowed = (tool: string): boolean => allowed.includes(tool);
  const asked = confirmationOf(steps, (tool) => (isAllowed(tool) ? toolbox.riskOf(tool) : undefined));
  if (asked && asked.hash !== confirmed) return { needsConfirmation: asked };

  const results: StepResult[] = [];
  const evidence: Evidence[] = [];
  const failures: StepFailure[] = [];
  for (const [step_index, step] of steps.entries()) {
    options.signal.throwIfAborted();
    const { tool } = step;
    const startedMs = options.clock.monotonicMs();
    const end = await runStep(step, options);
    const duration_ms = Math.round(options.clock.monotonicMs() - startedMs);
    if ('failure' in end) {
      failures.push({ ...end.failure, step_index, tool });
      results.push({ step_index, tool, result: { error: end.failure }, duration_ms });
      if (!end.failure.recoverable) break;
    } else {
      results.push({ step_index, tool, result: end.result ?? null, duration_ms });
      for (const one of end.evidence) evidence.push(one);
    }
  }
  const end = endOf(failures, steps.length);
  const status = failures.length === 0 ? 'success' : end === null ? 'partial' : 'error';
  // A result may be any value: the schema says so, the type that is made of it does not.
  const output = fitOutput({ status, results, evidence }) as ExecutionOutput;
  return { output, failures, end };
}

async function runStep({ tool: name, params = {} }: PlanStep, options: Options): Promise<ToolEnd> {
  const { toolbox, allowed, folder, signal, held, key } = options;
  if (!allowed.includes(name)) {
    const may = allowed.length === 0 ? 'none' : allowed.join(', ');
    return { failure: failure('ToolNotFound', `the tool ${name} may not be used here; these may: ${may}`) };
  }
  const tool = toolbox.find(name);
  if (!tool) return { failure: failure('ToolNotFound', `there is no tool ${name}`) };
  return tool.run(params, { folder, signal, held, key });
}

function endOf(
  failures: readonly StepFailure[],
  steps: number,
): Exclude<StepsEnd, { needsConfirmation: unknown }>['end'] {
  if (failures.some(({ recoverable }) => !recoverable)) return 'tool_failed_fatally';
  return steps > 0 && failures.length === steps ? 'tool_failed_recoverably' : null;
}
