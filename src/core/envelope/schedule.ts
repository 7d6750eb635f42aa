import type { Pipeline, PipelineStage } from '../../contracts/generated/types/pipeline.js';
import type { Progress } from './standing.js';

/** Where a stage has led. `back`: the target lies before it, or is itself. */
export type Led = { from: string; to: string };
type Places = Pick<Progress, 'due' | 'waiting' | 'ran'>;

const NO_STAGE: readonly string[] = ['end', 'clarification', 'confirmation'];

export function isStage(target: string): boolean {
  return !NO_STAGE.includes(target);
}

export function goesBack({ stages }: Pipeline, { from, to }: Led): boolean {
  if (!isStage(to)) return false;
  const order = stages.map(({ name }) => name);
  return order.indexOf(to) <= order.indexOf(from);
}

/** Where an envelope begins: with the first stage, and with those that come after none. */
export function firstStages({ stages }: Pipeline): string[] {
  return stages.filter(({ after }, index) => index === 0 || after?.length === 0).map(({ name }) => name);
}

/** The stages that are due once some have ended and led to others. */
export function advance(pipeline: Pipeline, before: Places, ended: readonly Led[], outputs: object): Places {
  const ran = new Set([...before.ran, ...ended.map(({ from }) => from)]);
  const over = new Set(ended.map(({ from }) => from));
  const due = new Set(before.due.filter((stage) => !over.has(stage)));
  const led = new Set(before.waiting);
  for (const one of ended) {
    if (!isStage(one.to)) continue;
    if (goesBack(pipeline, one)) for (const stage of undoneBy(pipeline, one)) ran.delete(stage);
    if (!ran.has(one.to)) led.add(one.to);
  }
  for (const stage of followersOf(pipeline, over)) if (!ran.has(stage)) led.add(stage);
  const waiting: string[] = [];
  for (const { name, ...stage } of pipeline.stages) {
    if (!led.has(name) || due.has(name)) continue;
    if (mayBegin(stage, ran, outputs)) due.add(name);
    else waiting.push(name);
  }
  const ordered = pipeline.stages.map(({ name }) => name).filter((name) => due.has(name));
  return { due: ordered, waiting, ran: [...ran] };
}

/** Goes on at a stage although nothing has led to it: a person has answered, or a sender says so. */
export function resumeAt(pipeline: Pipeline, { ran }: Places, stage: string): Places {
  const undone = new Set(undoneBy(pipeline, { from: '', to: stage }));
  return { due: [stage], waiting: [], ran: ran.filter((one) => !undone.has(one)) };
}

/** Whoever goes back has everything behind that to do again; whoever repeats itself only that. */
function undoneBy({ stages }: Pipeline, { from, to }: Led): string[] {
  if (from === to) return [to];
  return stages.slice(stages.findIndex(({ name }) => name === to)).map(({ name }) => name);
}

/** Those that come after one of these by themselves, without being led to. */
function followersOf({ stages }: Pipeline, over: ReadonlySet<string>): string[] {
  return stages.filter(({ after = [] }) => after.some((one) => over.has(one))).map(({ name }) => name);
}

function mayBegin(
  { after = [], join = 'all', requires = [] }: Pick<PipelineStage, 'after' | 'join' | 'requires'>,
  ran: ReadonlySet<string>,
  outputs: object,
): boolean {
  const joined =
    join === 'any' ? after.length === 0 || after.some((one) => ran.has(one)) : after.every((one) => ran.has(one));
  return joined && requires.every((key) => Object.hasOwn(outputs, key));
}
