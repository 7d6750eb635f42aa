import type { JobEvent } from '../../core/job/job-messages.js';
import { addUsage, NO_USAGE, type Usage } from '../../core/kernel/effect.js';

/** What one attempt used. `kept`: its work went on; otherwise it was lost, turned down or called off. */
export type Spending = { atMs: number; agent: string; usage: Usage; kept: boolean };

/** Reads what a job's attempts used out of its events, each when it has ended. */
export class CostFold {
  private agent = '';
  /** Stages of an envelope may be asked at the same time. */
  private readonly agents = new Map<string, string>();
  private usage = NO_USAGE;

  /** What is known with this event. */
  add(event: JobEvent): Spending | undefined {
    switch (event.type) {
      case 'HandoffAsked':
        this.agent = event.agent;
        this.agents.set(event.handoff, event.agent);
        this.usage = NO_USAGE;
        return undefined;
      case 'HandoffAnswered':
        this.usage = addUsage(this.usage, event.usage);
        return undefined;
      case 'HandoffCollected':
        // Its own word counts where nobody else has counted.
        if (isNothing(this.usage) && event.reading.reported) this.usage = event.reading.reported;
        return undefined;
      case 'HandoffEnded':
        this.agent = this.agents.get(event.handoff) ?? this.agent;
        this.agents.delete(event.handoff);
        return this.ended(event.atMs, event.usage, event.response === 'SUCCESS' && event.action === 'COMPLETED');
      case 'JobCanceled':
        // What was answered and not yet collected was spent all the same.
        if (!event.used && isNothing(this.usage)) return undefined;
        return this.ended(event.atMs, event.used ?? NO_USAGE, false);
      default:
        return undefined;
    }
  }

  private ended(atMs: number, more: Usage, kept: boolean): Spending {
    const usage = addUsage(this.usage, more);
    this.usage = NO_USAGE;
    return { atMs, agent: this.agent, usage, kept };
  }
}

function isNothing({ inputTokens, outputTokens, costMicroUsd }: Usage): boolean {
  return inputTokens + outputTokens + costMicroUsd === 0;
}
