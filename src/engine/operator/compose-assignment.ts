import type { Assignment } from '../../contracts/generated/types/assignment.js';
import { assignment } from '../../contracts/operator/assignment.js';
import { parseContract } from '../../contracts/shared/contract.js';
import type { PacketFacts } from '../../core/task/task-effects.js';

/** Contract 003, "Packet: Assignment". The same facts give the same bytes; one that does not hold is never sent. */
export function assignmentOf({ ledger, spec, objective, context, othersLocks }: PacketFacts): Assignment {
  const { agent: _, context_package: __, ...task } = spec;
  const packet: Assignment = {
    schema_version: '1.0.0',
    run_id: ledger,
    packet_type: 'assignment',
    global_objective: objective,
    task,
    active_locks: othersLocks.map(({ task: task_id, resource }) => ({ task_id, resource, active: true })),
    context_package: context.map(({ kind, value }) => ({ kind, value })),
    required_output_schema: 'subagent_result_v1',
  };
  return parseContract(assignment, packet);
}
