import { stagesBehind } from '../../contracts/envelope/pipeline-paths.js';
import type { Pipeline, PipelineStage } from '../../contracts/generated/types/pipeline.js';
import type { Progress } from './standing.js';

/** Where a stage has led. */
export type Led = { from: string; to: string };
type Places = Pick<Progress, 'due' | 'waiting' | 'ran'>;

const NO_STAGE: readonly string[] = ['end', 'clarification', 'confirmation'];

export function isStage(target: string): boolean {
  return !NO_STAGE.includes(target);
}

/** To a stage that lies before it, or to itself. */
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
  return placesOf(pipeline, due, led, ran, outputs);
}

/** A person has answered, and it goes on where that leads instead of where it was asked; what else is due stays so. */
export function resumeAt(pipeline: Pipeline, { due, waiting, ran }: Places, answer: Led): Places {
  const undone = new Set(goesBack(pipeline, answer) ? undoneBy(pipeline, answer) : [answer.to]);
  const others = due.filter((stage) => stage !== answer.from);
  const next = new Set(isStage(answer.to) ? [...others, answer.to] : others);
  return {
    due: inOrder(pipeline, next),
    waiting: waiting.filter((stage) => !next.has(stage)),
    ran: ran.filter((stage) => !undone.has(stage)),
  };
}

/** Only the envelope says where it is: at this stage, and at all that comes by itself after what has run. */
export function placeAt(pipeline: Pipeline, before: readonly string[], stage: string, outputs: object): Places {
  const behind = stagesBehind(pipeline, stage);
  const ran = new Set(before.filter((one) => one !== stage && !behind.has(one)));
  const begun = pipeline.stages.filter(({ after }) => after?.length === 0).map(({ name }) => name);
  const led = [...begun, ...followersOf(pipeline, ran)].filter((one) => !ran.has(one));
  return placesOf(pipeline, new Set([stage]), new Set(led), ran, outputs);
}

/** Whoever goes back has everything behind that to do again; whoever repeats itself only that. */
function undoneBy(pipeline: Pipeline, { from, to }: Led): string[] {
  return from === to ? [to] : [to, ...stagesBehind(pipeline, to)];
}

/** Those that come after one of these by themselves, without being led to. */
function followersOf({ stages }: Pipeline, over: ReadonlySet<string>): string[] {
  return stages.filter(({ after = [] }) => after.some((one) => over.has(one))).map(({ name }) => name);
}

/** Of those that were led to, who may begin is due and the others wait. */
function placesOf(
  pipeline: Pipeline,
  due: ReadonlySet<string>,
  led: ReadonlySet<string>,
  ran: ReadonlySet<string>,
  outputs: object,
): Places {
  const begins = new Set(due);
  const waiting: string[] = [];
  for (const { name, ...stage } of pipeline.stages) {
    if (!led.has(name) || due.has(name)) continue;
    if (mayBegin(stage, ran, outputs)) begins.add(name);
    else waiting.push(name);
  }
  return { due: inOrder(pipeline, begins), waiting, ran: [...ran] };
}

function inOrder({ stages }: Pipeline, named: ReadonlySet<string>): string[] {
  return stages.map(({ name }) => name).filter((name) => named.has(name));
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
