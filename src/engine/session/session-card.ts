import { statusOf } from '../../core/session/session-decider.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { RunRow } from '../ports.js';

/** What lists of sessions show. */
export type SessionCard = {
  run_id: string;
  version: number;
  title: string;
  status: string;
  model: string;
  agent: string;
  cwd: string;
  project: string | null;
  created_at: string;
  updated_at: string;
  metrics: { cost_usd: number; tokens: number; seconds: number; turns: number; tasks: number };
  /** The item of the inbox that it waits for; the oldest, when there are several. */
  waiting_for: number | null;
};

const MICRO_PER_USD = 1_000_000;

export function sessionCard(row: RunRow, session: LiveSession, item: number | null): SessionCard {
  const { order, spent, turns, tasks } = session;
  return {
    ...{ run_id: row.run, version: row.version, title: row.title ?? '', status: statusOf(session) },
    ...{ model: order.model, agent: order.agent, cwd: order.cwd, project: row.project },
    ...{ created_at: row.createdAt, updated_at: row.updatedAt, waiting_for: item },
    metrics: {
      ...{ cost_usd: spent.costMicroUsd / MICRO_PER_USD, tokens: spent.tokens, seconds: spent.activeMs / 1_000 },
      ...{ turns, tasks },
    },
  };
}
