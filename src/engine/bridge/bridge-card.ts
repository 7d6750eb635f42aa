import type { BridgeCard, BridgeHolder } from '../../contracts/api/bridge-shapes.js';
import { IDLE_ROUNDS_MAX } from '../../core/bridge/bridge-decide.js';
import type { LiveBridge } from '../../core/bridge/bridge-state.js';
import type { RunRow } from '../ports.js';

export function holderOf({ stage }: LiveBridge): BridgeHolder {
  if (stage.name === 'orchestrating') return 'orchestrator';
  if (stage.name === 'waiting') return 'you';
  return ['queued', 'parked', 'pausing', 'asking'].includes(stage.name) ? 'agent' : null;
}

export function bridgeCard({ run, version }: Pick<RunRow, 'run' | 'version'>, live: LiveBridge): BridgeCard {
  const { order, request, rounds, idleRounds } = live;
  return {
    ...{ run_id: run, version, dir: order.dir, command: order.argv, holder: holderOf(live), rounds },
    ...{ phase: request?.phase ?? null, phase_name: request?.phase_name ?? null },
    agent_name: request?.agent_name ?? null,
    idle_rounds: { used: idleRounds, max: IDLE_ROUNDS_MAX },
  };
}
