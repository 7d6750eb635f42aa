import type { Run } from '../../client/index.js';
import { classOf } from './attention.js';

export type View = { name: string; shows(run: Run, nowMs: number): boolean };

/** Runs of the house itself: what is kept about it, and its agents. */
const KEPT: ReadonlySet<string> = new Set(['system', 'agent']);

export function isWork({ kind }: Run): boolean {
  return !KEPT.has(kind);
}

export const VIEWS: Readonly<Record<string, View>> = {
  attention: { name: 'Attention', shows: isWork },
  live: { name: 'Live', shows: (run) => isWork(run) && ['you', 'moving', 'queued'].includes(classOf(run)) },
  jobs: { name: 'Jobs', shows: ({ kind }) => kind === 'job' },
  halted: { name: 'Halted', shows: (run) => classOf(run) === 'halted' },
  today: {
    name: 'Finished today',
    shows: (run, nowMs) => classOf(run) === 'finished' && isWork(run) && isToday(run.updated_at, nowMs),
  },
  all: { name: 'All', shows: () => true },
};

function isToday(at: string, nowMs: number): boolean {
  return new Date(at).toDateString() === new Date(nowMs).toDateString();
}

/** Words as they are; `agent:`, `kind:`, `status:` and `project:` name a column, `cost:>1` compares. */
export function matches(run: Run, words: string): boolean {
  return words.split(/\s+/).every((word) => {
    const [, over] = /^cost:>(\d+(?:\.\d+)?)$/.exec(word) ?? [];
    if (over !== undefined) return run.metrics.cost_usd > Number(over);
    const [, field, value] = /^(agent|kind|status|project):(.*)$/.exec(word) ?? [];
    if (field === undefined) return `${run.title} ${run.run_id}`.toLowerCase().includes(word);
    return String(run[field as 'agent' | 'kind' | 'status' | 'project'] ?? '')
      .toLowerCase()
      .includes(value ?? '');
  });
}
