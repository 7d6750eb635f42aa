import { BRIDGE_FILES, REJECTED_FILE } from '../../../src/contracts/bridge/bridge-file-names.js';
import type { BridgeEvent } from '../../../src/core/bridge/bridge-messages.js';
import type { RunRow } from '../../../src/engine/ports.js';
import { allRows } from '../stage/examine-home.js';
import type { BridgePlay, Result } from './bridge-play.js';
import { answerTo, type Call } from './bridge-programs.js';
import type { BridgeStage } from './bridge-stage.js';

type Found = { acknowledged: number; lost: string[]; twice: string[]; other: string[]; notes: string[] };
type Told = { atMs: number; event: BridgeEvent };
type Story = { play: BridgePlay; told: readonly Told[]; calls: readonly Call[] };

/** Everything that must hold when all orchestrators have ended and nobody runs any more. */
export async function examineBridges(stage: BridgeStage): Promise<Found> {
  const { store, plays, programs } = stage;
  const rows = await allRows(store);
  const stories = plays.map((play): Story => {
    const own = rows.filter(({ run }) => play.isOf(run));
    const told = own.map(({ type, data, at }) => ({ atMs: Date.parse(at), event: { ...JSON.parse(data), type } }));
    return { play, told, calls: play.calls() };
  });
  const { items } = await store.runs({ kind: 'bridge', limit: 1_000 });
  await stage.run('audit', 'verify'); // that it fails is a problem of the stage
  const strangers = programs.started().filter(({ by }) => !by.startsWith('handler-'));
  return {
    acknowledged: stories.reduce((sum, { told }) => sum + answersIn(told).length, 0),
    lost: stories.flatMap((story) => [...endProblems(story.play), ...resultProblems(story)]),
    twice: [...stories.flatMap(callProblems), ...programs.overlaps()],
    other: [
      ...stories.flatMap(({ play }) => fileProblems(play)),
      ...strangers.map(({ play, by }) => `${play}: the orchestrator was started by ${by}`),
      ...items.flatMap(restless),
      ...(await store.processes.list({})).map(({ run, pid }) => `the process ${pid} of ${run} is still in the table`),
      ...stage.repository.problems(),
    ],
    notes: notesOn(stories, programs.started().length),
  };
}

function endProblems({ hasEnded, name, kills }: BridgePlay): string[] {
  return hasEnded ? [] : [`${name} has never come to its end, after ${kills.length} kills`];
}

/** What each phase was told is what an agent answered to a request of that phase. */
function resultProblems({ play, told }: Story): string[] {
  const result = play.result();
  if (!play.hasEnded) return [];
  if (!result) return [`${play.name} has ended without a result`];
  return PHASES.flatMap(({ phase, said }) => {
    const ids = told.flatMap(({ event }) =>
      event.type === 'RequestTaken' && event.request.phase === phase ? [event.request.request_id] : [],
    );
    const answers = ids.map((id) => answerTo(id, phase));
    return answers.some((answer) => said(result, answer))
      ? []
      : [`${play.name}: phase ${phase} has another answer than its own: ${JSON.stringify(result).slice(0, 200)}`];
  });
}

const PHASES = [
  {
    phase: 1,
    said: ({ language }: Result, answer: string) =>
      language === (JSON.parse(answer) as { primary_language: string }).primary_language,
  },
  { phase: 6, said: ({ agent }: Result, answer: string) => agent === answer },
  { phase: 7, said: ({ enhanced }: Result, answer: string) => enhanced === answer },
];

/** Nobody is asked for what was answered, and again only when the agent or the handler died in the middle. */
function callProblems({ play, told, calls }: Story): string[] {
  const answers = answersIn(told);
  const twice = [...new Set(answers.map(({ id }) => id))].flatMap((id) => {
    const times = answers.filter((answer) => answer.id === id).length;
    return times === 1 ? [] : [`${play.name}: request ${id} was answered ${times} times`];
  });
  const again = repeatsIn(calls).flatMap(({ before, call }) => {
    const { request_id: id } = call;
    const isAnswered = answers.some((answer) => answer.id === id && answer.atMs < call.beganMs);
    const askedMs = askedAt(told, before);
    const hasDied = play.kills.some(
      ({ victim, atMs }) => victim !== 'orchestrator' && atMs >= askedMs && atMs <= call.beganMs,
    );
    return [
      ...(isAnswered ? [`${play.name}: request ${id} was asked again after it was answered`] : []),
      ...(hasDied ? [] : [`${play.name}: request ${id} was asked again, and nobody had died: ${endOf(told, before)}`]),
    ];
  });
  return [...twice, ...again];
}

/** An agent needs a moment until it writes down that it began, and whoever asked it may die in that moment. */
function askedAt(told: readonly Told[], { handoff, beganMs }: Call): number {
  const asked = told.find(({ event }) => event.type === 'HandoffAsked' && isAttempt(event, handoff));
  return asked?.atMs ?? beganMs;
}

function endOf(told: readonly Told[], { handoff }: Call): string {
  const ended = told.find(({ event }) => event.type === 'HandoffEnded' && isAttempt(event, handoff));
  return ended ? JSON.stringify(ended).slice(0, 300) : 'its end was not recorded';
}

function isAttempt({ handoff, attempt }: { handoff: string; attempt: number }, call: string): boolean {
  return call.endsWith(`/${handoff}/${attempt}`);
}

function answersIn(told: readonly Told[]): { id: string; atMs: number }[] {
  return told.flatMap(({ event, atMs }) =>
    event.type === 'RequestAnswered' ? [{ id: event.reply.request_id, atMs }] : [],
  );
}

function repeatsIn(calls: readonly Call[]): { before: Call; call: Call }[] {
  return calls.flatMap((call, index) => {
    const before = calls.slice(0, index).findLast(({ request_id }) => request_id === call.request_id);
    return before ? [{ before, call }] : [];
  });
}

/** The three are gone, and nothing half-written is left beside them. */
function fileProblems(play: BridgePlay): string[] {
  const { name, hasEnded } = play;
  if (!hasEnded) return [];
  const expected = ['result.json', REJECTED_FILE];
  const left = play.files().filter((file) => !expected.includes(file));
  return left.map((file) => `${name}: ${file} is left${isOneOfThree(file) ? '' : ' beside them'}`);
}

function isOneOfThree(file: string): boolean {
  return (BRIDGE_FILES as readonly string[]).includes(file);
}

function restless({ run, status, ended, owes, wakeAtMs, owner }: RunRow): string[] {
  return [
    ...(ended && !owes && wakeAtMs === null ? [] : [`${run} is not at rest: ${status}`]),
    ...(owner === null ? [] : [`${run} still belongs to ${owner}`]),
  ];
}

function notesOn(stories: readonly Story[], starts: number): string[] {
  const calls = stories.flatMap((story) => story.calls);
  const repeats = stories.flatMap((story) => repeatsIn(story.calls));
  const unrecorded = repeats.filter(({ before }) => before.endedMs !== null).length;
  const events = stories.flatMap(({ told }) => told.map(({ event }) => event.type));
  const count = (type: BridgeEvent['type']): number => events.filter((one) => one === type).length;
  const ids = new Set(calls.map(({ request_id }) => request_id));
  return [
    `${stories.length} orchestrators, started ${starts} times; ${events.length} events`,
    `${ids.size} requests, ${calls.length} calls: ${repeats.length} again, their agent or handler died in the middle; in ${unrecorded} of these the agent came to its end and nobody recorded it`,
    `${count('RequestRepeated')} times the same request answered from the journal, ${count('RoundLost')} rounds lost`,
  ];
}
