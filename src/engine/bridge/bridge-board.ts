import type { BridgeBoard } from '../../contracts/api/bridge-shapes.js';
import { bridgeDecider, statusOf, titleOf } from '../../core/bridge/bridge-decider.js';
import type { BridgeEvent } from '../../core/bridge/bridge-messages.js';
import type { BridgeRun, LiveBridge } from '../../core/bridge/bridge-state.js';
import type { EventRow } from '../ports.js';
import { ticksOf } from '../shown/timeline/job-view.js';
import { markOf } from '../shown/timeline/moment.js';
import { bridgeCard } from './bridge-card.js';
import { crossingsIn, roundsIn, type Told } from './bridge-crossings.js';
import { type FileSources, filesOf, phasesOf } from './bridge-files.js';

type Parts = { run: string; rows: readonly EventRow[]; event: number; item: number | null };
const MICRO_PER_USD = 1_000_000;

export async function bridgeBoard(sources: FileSources, live: LiveBridge, parts: Parts): Promise<BridgeBoard> {
  const { run, rows, event, item } = parts;
  const told = rows
    .slice(0, event)
    .map(({ seq, at, type, data }): Told => ({ seq, at, event: { ...JSON.parse(data), type } }));
  const { order, spent, end } = live;
  const card = bridgeCard({ run, version: event }, live);
  const crossings = crossingsIn(told);
  const last = told.findLast(({ event: { type } }) => type === 'FilesRemoved' || FOUND.includes(type));
  return {
    ...{ run_id: run, event, events: rows.length, at: told.at(-1)?.at ?? '', item },
    ticks: ticksOf(rows.map(bridgeMark).join('')),
    ...{ status: statusOf(live), title: titleOf(live), holder: card.holder, dir: order.dir, command: order.argv },
    ...{ why: whyOf(live, told), until: untilOf(live) },
    ...{ agents: order.agents, profile: order.profile, idle_rounds: card.idle_rounds },
    rounds: roundsIn(told),
    crossings,
    files: await filesOf(sources, live, told),
    files_removed: last?.event.type === 'FilesRemoved',
    pending: live.request?.request_id ?? null,
    phases: await phasesOf(sources, live, crossings),
    end: end && { exit_code: end.exitCode, problem: end.problem },
    ...{ cost_usd: spent.costMicroUsd / MICRO_PER_USD, tokens: spent.tokens },
  };
}

/** Tall: somebody is asked. Red: something did not end as it should. */
function bridgeMark(row: EventRow): ReturnType<typeof markOf> {
  if (row.type === 'PersonAsked') return 'h';
  if (row.type === 'RoundLost') return 'x';
  if (row.type !== 'BridgeEnded') return markOf(row);
  return (JSON.parse(row.data) as { exitCode: number }).exitCode === 0 ? '.' : 'x';
}

const FOUND: readonly BridgeEvent['type'][] = ['RoundEnded', 'RequestTaken', 'RequestRepeated', 'RoundStarted'];

/** Why it rests, or what has ended it. */
function whyOf({ stage, end }: LiveBridge, told: readonly Told[]): string | null {
  if (stage.name === 'interrupted') return stage.reason;
  const last = told.findLast(({ event: { type } }) => type === 'HandoffParked' || type === 'HandoffEnded')?.event;
  if (stage.name === 'parked' && last?.type === 'HandoffParked') return last.reason;
  if (stage.name === 'pausing' && last?.type === 'HandoffEnded') return last.reason;
  return end?.problem?.reason ?? null;
}

function untilOf({ stage }: LiveBridge): string | null {
  if (stage.name === 'asking') return new Date(stage.deadlineMs).toISOString();
  if (stage.name === 'parked' || stage.name === 'pausing') return new Date(stage.untilMs).toISOString();
  return null;
}

/** The run as it was behind its first events. */
export function foldedAt(rows: readonly EventRow[]): LiveBridge {
  const folded = rows.reduce<BridgeRun>(
    (state, { type, data }) => bridgeDecider.evolve(state, { ...JSON.parse(data), type } as BridgeEvent),
    bridgeDecider.initialState(),
  );
  if (folded.status === 'new') throw new Error('a bridge has no state before its first event');
  return folded;
}
