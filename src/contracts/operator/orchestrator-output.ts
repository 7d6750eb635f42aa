import type { OrchestratorOutput } from '../generated/types/orchestrator-output.js';
import { validate, validateStrict } from '../generated/validators/orchestrator-output.js';
import { type CheckOptions, type Contract, check } from '../shared/contract.js';
import { type Denial, deny } from '../shared/verdict.js';
import { assignment } from './assignment.js';
import { knownCodes } from './blocker-rules.js';
import { sameKeySameContent } from './delta-rules.js';
import { locksApart, resourcesNormalise } from './scope-rules.js';

/** Contract 003, "Envelope: Orchestrator Output". */
export const orchestratorOutput: Contract<OrchestratorOutput> = {
  name: 'orchestrator-output',
  validate,
  validateStrict,
  versioned: 'required',
  rules: [
    ({ ledger_delta }) => sameKeySameContent(ledger_delta, '/ledger_delta'),
    ({ assignments, run_id }, options) => packetsHold(assignments, run_id, options),
    ({ blockers }) => knownCodes(blockers, '/blockers'),
    ({ active_locks }) => resourcesNormalise(active_locks, '/active_locks'),
    ({ active_locks }) => locksApart(active_locks, '/active_locks'),
  ],
};

/** What is handed out is checked before it is handed out. */
function packetsHold(packets: readonly object[], runId: string, options: CheckOptions): true | Denial {
  for (const [index, packet] of packets.entries()) {
    const path = `/assignments/${index}`;
    const verdict = check(assignment, packet, options);
    if (!verdict.allow) {
      return deny(verdict.code, `${path}: ${verdict.reason}`, {
        ...verdict.details,
        path: `${path}${verdict.details?.path ?? ''}`,
      });
    }
    if ((packet as { run_id: string }).run_id !== runId) {
      return deny('NON_COMPLIANT', `${path}/run_id belongs to another run`, {
        path: `${path}/run_id`,
        expected: runId,
      });
    }
  }
  return true;
}
