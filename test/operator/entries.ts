import type { WorklogEntry } from '../../src/contracts/generated/types/worklog-entry.js';
import { minute } from './boards.js';

const common = { run_id: '3f56dc4d-35cf-4f97-925c-0b04a6fe8bf4', task_id: 'T-4' };

/** A worklog with everything that can stand in one. */
export const ENTRIES: readonly WorklogEntry[] = [
  {
    ...{
      ...common,
      timestamp: minute(23),
      actor: 'baton',
      action: 'assigned to codex-1, attempt 1',
      files_touched: [],
    },
    ...{ decision: 'T-2 and T-3 are done', result: 'packet sent', next_step: 'wait for the result' },
  },
  {
    ...{ ...common, timestamp: minute(31.5), actor: 'codex-1', action: 'moved 11 of 14 templates' },
    files_touched: ['src/billing/invoice/header.ts', 'src/billing/invoice/lines.ts', 'src/billing/invoice/totals.ts'],
    decision:
      'Keep the old names, since two services import them and the renaming is a task of its own that nobody has planned',
    ...{ result: 'compiles; 3 snapshots differ', next_step: 'look at the snapshots', evidence: 'npx tsc --noEmit' },
  },
  {
    ...{
      ...common,
      timestamp: minute(640),
      actor: 'watch\u001b[2Jdog',
      action: 'ended by the watchdog',
      files_touched: [],
    },
    ...{
      decision: '\u202enothing heard',
      result: 'no heartbeat for 720 s',
      next_step: 'another agent',
      code: 'TASK_TIMEOUT',
    },
  },
];
