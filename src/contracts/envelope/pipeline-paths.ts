import type { Pipeline, PipelineStage } from '../generated/types/pipeline.js';
import { findCycle } from '../operator/dependency-cycle.js';
import { type Denial, deny } from '../shared/verdict.js';

/** Where an envelope goes on once a person has answered; the stage that asked, or what follows it, without such a stage. */
const RESUMES_AT: ReadonlyMap<string, string> = new Map([
  ['clarification', 'intent'],
  ['confirmation', 'execution'],
]);

type Stages = ReadonlyMap<string, PipelineStage>;
type Edges = Map<string, string[]>;

/** Stages that wait for each other never begin; nor does a first stage that waits for others. */
export function beginsSomewhere({ stages }: Pipeline): true | Denial {
  const [first] = stages;
  if (first?.after?.length) {
    const [other] = first.after;
    return deny('SCHEMA_INVALID', `stage "${first.name}" is the first one, but comes after "${other}"`, {
      path: '/stages/0/after',
      stages: [first.name, ...first.after],
    });
  }
  const cycle = findCycle(stages.map(({ name, after = [] }) => ({ task_id: name, dependencies: after })));
  if (!cycle) return true;
  const [name = ''] = cycle;
  return deny('SCHEMA_INVALID', `by their "after", stages wait for each other: ${around(cycle)}`, {
    path: `${pathOf(stages, name)}/after`,
    stages: cycle,
  });
}

/** A stage that never begins is a mistake in the name of another one, left over, or waits for what it leads to itself. */
export function everyStageBegins({ stages }: Pipeline): true | Denial {
  const begins = beginning(stages);
  const lost = stages.map(nameOf).filter((name) => !begins.has(name));
  if (lost.length === 0) return true;
  const names = lost.map((name) => `"${name}"`).join(', ');
  return deny('SCHEMA_INVALID', `${lost.length === 1 ? 'stage' : 'the stages'} ${names} can never begin`, {
    path: pathOf(stages, lost[0] ?? ''),
    stages: lost,
  });
}

/** What may follow a stage without going back: with the stage, all of it is to be done again. */
export function stagesBehind({ stages }: Pipeline, name: string): Set<string> {
  const order = stages.map((stage) => stage.name);
  const behind = reached(
    [name],
    onwardFrom(stages, (from, to) => order.indexOf(to) > order.indexOf(from)),
  );
  for (const other of ['end', name]) behind.delete(other);
  return behind;
}

/** Which stages a stage leads to, whether it goes well or fails, and which ones wait for it. */
function onwardFrom(stages: readonly PipelineStage[], counts: (from: string, to: string) => boolean): Edges {
  const named = byName(stages);
  const onward: Edges = new Map();
  for (const stage of stages) {
    const { name, error_next, after = [] } = stage;
    for (const target of [...targetsOf(stage), ...(error_next ? [error_next] : [])]) {
      const next = destination(target, stage, named);
      if (counts(name, next)) add(onward, name, next);
    }
    for (const earlier of after) add(onward, earlier, name);
  }
  return onward;
}

/** All stages that can begin: the first, those that wait for nothing, what they lead to, and what waits for them. */
function beginning(stages: readonly PipelineStage[]): ReadonlySet<string> {
  const named = byName(stages);
  const waiting: Edges = new Map();
  const missing = new Map<string, number>();
  for (const { name, after, join } of stages) {
    const earlier = new Set(after);
    missing.set(name, join === 'any' ? Math.min(1, earlier.size) : earlier.size);
    for (const one of earlier) add(waiting, one, name);
  }
  const begins = new Set(stages.filter(({ after }, index) => index === 0 || after?.length === 0).map(nameOf));
  for (const name of begins) {
    const stage = named.get(name);
    if (!stage) continue; // the end
    for (const target of [...targetsOf(stage), ...(stage.error_next ? [stage.error_next] : [])]) {
      const next = destination(target, stage, named);
      if (!named.get(next)?.after?.length) begins.add(next);
    }
    for (const later of waiting.get(name) ?? []) {
      const left = (missing.get(later) ?? 0) - 1;
      missing.set(later, left);
      if (left === 0) begins.add(later);
    }
  }
  return begins;
}

/** A loop needs a way out that is not a failure: what fails ends anyway, so error_next does not count. */
export function everyLoopEnds({ stages }: Pipeline): true | Denial {
  const named = byName(stages);
  const back: Edges = new Map();
  for (const stage of stages) {
    for (const target of targetsOf(stage)) add(back, destination(target, stage, named), stage.name);
  }
  const ending = reached(['end'], back);
  const stuck = stages.find(({ name }) => !ending.has(name));
  if (!stuck) return true;
  const loop = loopFrom(stuck, named);
  return deny('SCHEMA_INVALID', `${around(loop)} never leads to end`, {
    path: pathOf(stages, stuck.name),
    stages: loop.filter((name) => !RESUMES_AT.has(name)),
  });
}

/** What may follow when the stage has gone well, the usual way first. */
function targetsOf({ default_next, rules = [] }: PipelineStage): string[] {
  return [default_next, ...rules.map(({ to }) => to)];
}

/** The stage a target leads to, through the person it asks. */
function destination(target: string, stage: PipelineStage, stages: Stages): string {
  const resumed = RESUMES_AT.get(target);
  if (resumed === undefined) return target;
  if (stages.has(resumed)) return resumed;
  return target === 'clarification' ? stage.name : stage.default_next;
}

/** Follows the usual way of a stage that never gets to the end, until it comes back to where it was. */
function loopFrom(start: PipelineStage, stages: Stages): string[] {
  const path = new Set<string>();
  let stage: PipelineStage | undefined = start;
  while (stage && !path.has(stage.name)) {
    path.add(stage.name);
    const target: string = stage.default_next;
    if (RESUMES_AT.has(target)) path.add(target);
    stage = stages.get(destination(target, stage, stages));
  }
  const names = [...path];
  return stage ? names.slice(names.indexOf(stage.name)) : names;
}

function byName(stages: readonly PipelineStage[]): Stages {
  return new Map(stages.map((stage) => [stage.name, stage]));
}

function reached(from: readonly string[], edges: Edges): Set<string> {
  const seen = new Set(from);
  for (const name of seen) for (const next of edges.get(name) ?? []) seen.add(next);
  return seen;
}

function add(edges: Edges, from: string, to: string): void {
  const known = edges.get(from);
  if (known) known.push(to);
  else edges.set(from, [to]);
}

function around(loop: readonly string[]): string {
  return [...loop, loop[0]].join(' → ');
}

const nameOf = ({ name }: PipelineStage): string => name;

function pathOf(stages: readonly PipelineStage[], name: string): string {
  return `/stages/${stages.findIndex((stage) => stage.name === name)}`;
}
