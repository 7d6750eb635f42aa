import type { SessionCard, SessionStop } from '../../contracts/api/session-shapes.js';
import { statusOf } from '../../core/session/session-decider.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { RunRow } from '../ports.js';

const MICRO_PER_USD = 1_000_000;

/** `item`: what it waits for. `stopped`: why it does not go on. */
type Standing = { item: number | null; stopped: SessionStop | null };

export function sessionCard(row: RunRow, session: LiveSession, { item, stopped }: Standing): SessionCard {
  const { order, spent, nodes, tasks } = session;
  const turns = nodes.filter(({ output }) => output !== null).length;
  return {
    ...{ run_id: row.run, version: row.version, title: row.title, status: statusOf(session) },
    ...{ model: order.model, agent: order.agent, cwd: order.cwd, project: row.project },
    ...{ created_at: row.createdAt, updated_at: row.updatedAt, waiting_for: item, stopped },
    metrics: {
      ...{ cost_usd: spent.costMicroUsd / MICRO_PER_USD, tokens: spent.tokens, seconds: spent.activeMs / 1_000 },
      ...{ turns, tasks },
    },
  };
}
