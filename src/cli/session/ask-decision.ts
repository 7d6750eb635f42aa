import type { Io } from '../io.js';
import { approvalLines, DECISION_HINT, type Decided, decisionIn, decisionPrompt, SHOW_ALL } from './approval-lines.js';
import type { OpenApproval } from './session-track.js';
import type { SessionView } from './session-view.js';
import { terminalWidth } from './terminal-width.js';

/** The words that people type for a key. */
const SPOKEN: Readonly<Record<string, string>> = { y: 'a', yes: 'a', n: 'd', no: 'd', session: 's', abort: 'x' };

/** Asks until it is answered; null when the person went away. */
export async function askDecision(
  approval: OpenApproval,
  io: Pick<Io, 'ask'>,
  view: SessionView,
): Promise<Decided | null> {
  for (;;) {
    view.rest();
    const said = await io.ask?.(decisionPrompt(approval, terminalWidth()));
    if (said === undefined) return null;
    const decided = decisionIn(said, SPOKEN);
    if (decided) return decided;
    if (said.trim().toLowerCase() === SHOW_ALL) view.lines(approvalLines(approval, Number.POSITIVE_INFINITY), '  ');
    else view.lines([DECISION_HINT]);
  }
}
