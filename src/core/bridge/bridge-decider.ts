import type { Decider } from '../kernel/decider.js';
import type { InboxChange } from '../kernel/inbox.js';
import type { RunSummary } from '../kernel/run-summary.js';
import { decideBridge, isFinal } from './bridge-decide.js';
import { bridgeEffects } from './bridge-effects.js';
import { evolveBridge } from './bridge-evolve.js';
import type { BridgeCommand, BridgeEvent } from './bridge-messages.js';
import { type BridgeRun, type LiveBridge, questionKey } from './bridge-state.js';

/** Contract 001: an orchestrator that is started again and again, and whoever answers it. */
export const bridgeDecider: Decider<BridgeCommand, BridgeEvent, BridgeRun> = {
  kind: 'bridge',
  version: 1,
  initialState: () => ({ status: 'new' }),
  decide: decideBridge,
  evolve: evolveBridge,
  outstanding: (bridge) => (bridge.status === 'new' ? [] : bridgeEffects(bridge)),
  summary,
  inbox,
};

const STATUSES = {
  orchestrating: 'running',
  queued: 'asking',
  parked: 'parked',
  pausing: 'asking',
  asking: 'asking',
  waiting: 'waiting',
  delivering: 'delivering',
  cleaning: 'finishing',
  interrupted: 'interrupted',
  watching: 'watching',
} as const;

export function statusOf({ stage, end }: LiveBridge): string {
  if (stage.name !== 'over') return STATUSES[stage.name];
  if (end?.exitCode === 0) return 'done';
  return end && isFinal(end) ? 'abandoned' : 'failed';
}

const MOVING: readonly string[] = ['orchestrating', 'queued', 'asking', 'delivering', 'cleaning', 'parked'];

function summary(bridge: Readonly<BridgeRun>): RunSummary {
  if (bridge.status === 'new') throw new Error('a bridge has no row before it is begun');
  const { order, stage, request, end, spent } = bridge;
  const title = titleOf(bridge);
  return {
    status: statusOf(bridge),
    title,
    agent: request?.answerer?.agent ?? null,
    project: order.project,
    parent: null,
    owes: MOVING.includes(stage.name) || (stage.name === 'waiting' && !stage.notified),
    wakeAtMs: stage.name === 'pausing' ? stage.untilMs : null,
    waitingFor: stage.name === 'waiting' ? 'clarification' : stage.name === 'parked' ? 'budget' : null,
    ended: stage.name === 'over' && end !== null && isFinal(end),
    costMicroUsd: spent.costMicroUsd,
    tokens: spent.tokens,
    activeMs: spent.activeMs,
    handoffs: spent.asks,
    text: `${title} ${order.dir} ${order.place}`,
  };
}

const TITLE_LENGTH_MAX = 120;

/** What the orchestrator is called; of one that others start, where it is. */
export function titleOf({ order: { argv, dir } }: LiveBridge): string {
  return (argv?.join(' ') ?? dir).slice(0, TITLE_LENGTH_MAX);
}

function inbox(event: BridgeEvent): InboxChange | undefined {
  if (event.type === 'PersonAsked') {
    const { question, agent_name, phase_name } = event;
    const asked = `What does ${agent_name} answer for ${phase_name}?`;
    return { open: { key: questionKey(question), kind: 'clarification', title: 'request', question: asked } };
  }
  const isEnd = event.type === 'RequestAnswered' || event.type === 'BridgeEnded' || event.type === 'BridgePaused';
  return isEnd && event.question !== null ? { close: questionKey(event.question) } : undefined;
}
