import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NO_USAGE } from '../../core/kernel/effect.js';
import { type Figures, figuresOf, type ModelUsage } from '../../core/kernel/model-usage.js';
import type { Left } from '../../engine/ports.js';
import type { Attempt } from './metering.js';

/**
 * What an attempt has used so far, and its conversation. Its event says so when it ends; this is for attempts whose
 * process was killed, so it need not outlive the machine.
 */
export function keepSpent(folder: string, of: Attempt, left: Left): void {
  const file = fileOf(folder, of);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, JSON.stringify(left), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // a full disk stops the job elsewhere, with a reason
  }
}

export function readSpent(folder: string, of: Attempt): Left {
  try {
    const { thread, models, ...sum } = JSON.parse(readFileSync(fileOf(folder, of), 'utf8'));
    const usage = figuresOf(sum);
    if (!areFigures(usage)) return NO_USAGE;
    return {
      ...usage,
      ...(typeof thread === 'string' && { thread }),
      ...(Array.isArray(models) && { models: models.filter(isOfModel) }),
    };
  } catch {
    return NO_USAGE; // it used nothing, or nothing was kept
  }
}

function areFigures(figures: Figures): boolean {
  return Object.values(figures).every((figure) => Number.isSafeInteger(figure) && figure >= 0);
}

function isOfModel(part: unknown): part is ModelUsage {
  const { model } = (part ?? {}) as { model?: unknown };
  return typeof model === 'string' && areFigures(figuresOf(part as ModelUsage));
}

function fileOf(folder: string, { run, handoff, attempt }: Attempt): string {
  return path.join(folder, 'jobs', run, 'spent', `${handoff}.${attempt}.json`);
}
