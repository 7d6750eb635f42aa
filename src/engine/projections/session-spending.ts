import type { Usage } from '../../core/kernel/effect.js';
import type { SessionEvent } from '../../core/session/session-messages.js';

/** Events of a session that may tell what was used. */
export const SESSION_SPENDS: ReadonlySet<string> = new Set<SessionEvent['type']>([
  'ResponseReceived',
  'TurnRestarted',
  'RetryPlanned',
  'CompactionBegun',
  'Compacted',
  'TaskFailed',
]);

/** What a turn has used, each told once. `kept`: there is an answer; otherwise it was lost, refused or called off. */
export function sessionSpending(event: SessionEvent): { usage: Usage; kept: boolean } | undefined {
  switch (event.type) {
    case 'ResponseReceived':
    case 'Compacted':
      return used(event.usage, true);
    case 'TurnRestarted':
    case 'RetryPlanned':
    case 'TaskFailed':
      return used(event.usage, false);
    case 'CompactionBegun':
      return event.spent && used(event.spent.usage, false);
    default:
      return undefined;
  }
}

function used(usage: Usage, kept: boolean): { usage: Usage; kept: boolean } | undefined {
  const { inputTokens, outputTokens, costMicroUsd } = usage;
  return inputTokens + outputTokens + costMicroUsd > 0 ? { usage, kept } : undefined;
}
