import { useLive } from '../live/live-context.js';
import { age } from '../parts/figures.js';
import { Words } from '../parts/shown-text.js';
import type { Outcome } from './use-rows.js';

/** "Approved by you, 14:12", or "eva denied this 4 s ago". */
export function OutcomeWords({ outcome: { said, atMs } }: { outcome: Outcome }) {
  const { nowMs } = useLive();
  return (
    <>
      <Words text={atMs === null ? said : `${said} ${age(nowMs - atMs)} ago`} /> · Undo not possible
    </>
  );
}
