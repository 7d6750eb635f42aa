import type { ApprovalDecision } from '../../core/session/session-messages.js';
import type { Io } from '../io.js';
import { approvalLines, DECISIONS, decisionWords, isDecisionKey } from './approval-lines.js';
import type { OpenApproval } from './session-track.js';
import type { SessionView } from './session-view.js';

/** The words that people type for a key. */
const SPOKEN: Readonly<Record<string, string>> = { y: 'a', yes: 'a', n: 'd', no: 'd', session: 's', abort: 'x' };

/** Asks until it is answered; null when the person went away. */
export async function askDecision(
  approval: OpenApproval,
  io: Pick<Io, 'ask'>,
  view: SessionView,
): Promise<ApprovalDecision | null> {
  for (;;) {
    view.rest();
    const said = await io.ask?.(`      ${decisionWords(approval.kind)} > `);
    if (said === undefined) return null;
    const word = said.trim().toLowerCase();
    const key = SPOKEN[word] ?? word;
    if (isDecisionKey(key)) return DECISIONS[key].decision;
    if (key === 'v') view.lines(approvalLines(approval, Number.POSITIVE_INFINITY), '  ');
  }
}
