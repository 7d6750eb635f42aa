import type { HandoffQueue } from '../../engine/handoffs/handoff-queue.js';
import type { Adapter } from '../adapter.js';
import type { QueueSpec } from '../agent-spec.js';

export type QueueOptions = { queue: HandoffQueue };

/** Offers the handoff to whoever pulls work. Nothing is started here, so nothing is left behind. */
export function queueAdapter({ labels }: QueueSpec, { queue }: QueueOptions): Adapter {
  return ({ run }, { key, attempt, agent, deadlineMs }, request, signal) =>
    queue.offer({ run, handoff: key, attempt, agent, labels, request, deadlineMs }, signal);
}
