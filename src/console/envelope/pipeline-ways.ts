import type { EnvelopeBoard, Pipeline } from '../../client/index.js';

type Stage = Pipeline['stages'][number];
type Move = EnvelopeBoard['moves'][number];

/** One way from a stage to another, whether it was gone or not. */
export type Way = {
  from: string;
  to: string;
  /** When it is gone, as the pipeline says it; empty when nothing else applies. */
  when: readonly string[];
  count: number;
  /** Straight on; over the stages, where it goes back; or under them, where it goes on with the next or past some. */
  side: 'ahead' | 'above' | 'below';
};
export type Place = { stage: string; column: number; row: number };
export type Layout = { places: readonly Place[]; columns: number; rows: number };

/** Columns from left to right; stages that may run together stand in one. */
export function layoutOf({ stages }: Pipeline): Layout {
  const columns = new Map<string, number>();
  for (const stage of stages) {
    const before = stages.filter((one) => columns.has(one.name) && leads(one, stage)).map(({ name }) => name);
    columns.set(stage.name, Math.max(-1, ...before.map((name) => columns.get(name) ?? -1)) + 1);
  }
  const filled = new Map<number, number>();
  const places = stages.map(({ name }): Place => {
    const column = columns.get(name) ?? 0;
    const row = filled.get(column) ?? 0;
    filled.set(column, row + 1);
    return { stage: name, column, row };
  });
  return { places, columns: filled.size, rows: Math.max(1, ...filled.values()) };
}

export function waysOf(pipeline: Pipeline, moves: readonly Move[]): readonly Way[] {
  const { stages } = pipeline;
  const columnOf = new Map(layoutOf(pipeline).places.map(({ stage, column }) => [stage, column]));
  const order = new Map(stages.map(({ name }, index) => [name, index]));
  const ways = new Map<string, Way>();
  const add = (from: string, to: string, when: string): void => {
    if (!order.has(to)) return;
    const known = ways.get(`${from} ${to}`);
    const words = [...new Set([...(known?.when ?? []), ...(when === '' ? [] : [when])])];
    const count = moves.find((move) => move.from === from && move.to === to)?.count ?? 0;
    const isBack = (order.get(to) ?? 0) <= (order.get(from) ?? 0);
    const isNear = (columnOf.get(to) ?? 0) - (columnOf.get(from) ?? 0) === 1;
    const isNext = words.includes('next stage');
    const side = isBack && !isNext ? 'above' : isNear && !isBack ? 'ahead' : 'below';
    ways.set(`${from} ${to}`, { from, to, when: words, count, side });
  };
  for (const stage of stages) {
    for (const { equals, to } of stage.rules ?? []) add(stage.name, to, ruleWord(equals));
    add(stage.name, stage.default_next, '');
    if (stage.error_next !== undefined) add(stage.name, stage.error_next, 'on failure');
    for (const before of stage.after ?? []) add(before, stage.name, '');
  }
  return [...ways.values()];
}

function leads({ name, rules = [], default_next, error_next }: Stage, to: Stage): boolean {
  const targets = [default_next, error_next, ...rules.map((rule) => rule.to)];
  return targets.includes(to.name) || (to.after ?? []).includes(name);
}

function ruleWord(equals: unknown): string {
  return String(equals).replaceAll('_', ' ');
}

export function timesWord(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${count} times`;
}

/** The drawing in words. */
export function pipelineSummary({ name, stages }: Pipeline, ways: readonly Way[], now: string): string {
  const loops = ways
    .filter(({ side, count }) => side !== 'ahead' && count > 0)
    .map(
      ({ from, to, when, count }) =>
        `${from} led to ${to} ${timesWord(count)}${when.length > 0 ? ` (${when.join(', ')})` : ''}`,
    );
  const sentences = [`Pipeline ${name}: ${stages.map((stage) => stage.name).join(', ')}`, ...loops, now];
  return `${sentences.filter(Boolean).join('. ').replace(/\.$/, '')}.`;
}
