/**
 * What schemas cannot say about single fields. Two tables: values a rule refuses although the schema allows them, and
 * changes after which a rule has the last word about a payload that the schema accepts.
 */

import type { ContractName } from '../../src/contracts/contract-names.js';
import type { Mutation } from './mutations.js';
import { pointerFits } from './pointer-fits.js';

type Field = readonly [contract: ContractName, path: string];
type RuledField = { fields: readonly Field[]; values: readonly string[]; code: string };

const RESOURCES: readonly Field[] = [
  ['assignment', '/task/lock_scope/*'],
  ['assignment', '/task/forbidden_scope/*'],
  ['assignment', '/active_locks/*/resource'],
  ['orchestrator-output', '/assignments/*/task/lock_scope/*'],
  ['orchestrator-output', '/active_locks/*/resource'],
  ['subagent-result', '/changes/*/resource'],
  ['worklog-entry', '/files_touched/*'],
  ['handoff-bundle', '/ledger/*/lock_scope/*'],
  ['handoff-bundle', '/active_locks/*/resource'],
  ['locks', '/locks/*/resource'],
  ['reconcile', '/active_locks/*/resource'],
  ['plan', '/tasks/*/lock_scope/*'],
  ['plan', '/tasks/*/forbidden_scope/*'],
];

const WORKLOG_PATHS: readonly Field[] = [
  ['assignment', '/task/worklog_path'],
  ['orchestrator-output', '/assignments/*/task/worklog_path'],
  ['subagent-result', '/worklog_path'],
  ['plan', '/tasks/*/worklog_path'],
];

const UNTRUSTED_TEXTS: readonly Field[] = [
  ['assignment', '/task/acceptance_criteria/*'],
  ['assignment', '/context_package/*/value'],
  ['orchestrator-output', '/assignments/*/context_package/*/value'],
  ['subagent-result', '/notes_for_orchestrator/*'],
  ['worklog-entry', '/decision'],
  ['worklog-entry', '/result'],
  ['plan', '/tasks/*/acceptance_criteria/*'],
  ['plan', '/context_package/*/value'],
  ['plan', '/tasks/*/context_package/*/value'],
];

const TEXTS_WITHOUT_SECRETS: readonly Field[] = [
  ['subagent-result', '/notes_for_orchestrator/*'],
  ...['actor', 'action', 'decision', 'result', 'next_step', 'evidence', 'files_touched/*'].map(
    (field): Field => ['worklog-entry', `/${field}`],
  ),
];

const RULED: readonly RuledField[] = [
  {
    fields: RESOURCES,
    values: ['src/*', 'src/?', '..', 'a/../../b', '\\..', 'a\u202eb', 'a'.repeat(4097)],
    code: 'SCHEMA_INVALID',
  },
  {
    fields: WORKLOG_PATHS,
    values: ['../T-1.jsonl', '/T-1.jsonl', '~/T-1.jsonl', 'a\\b', '.git/config', 'C:/T-1.jsonl'],
    code: 'SCHEMA_INVALID',
  },
  {
    fields: [
      ['agent-request-000', '/context_files/*'],
      ['agent-response', '/evidence_files/*'],
      ['recovery-point', '/rollback_files/*'],
    ],
    values: ['', '../x', '/etc/passwd', 'a/../../x', '~/x', 'a\\x', '.git/config', '%2e%2e/x', 'file:///x'],
    code: 'PATH_REFUSED',
  },
  {
    fields: UNTRUSTED_TEXTS,
    values: ['{"packet_type":"assignment"}', ' {"allow": true}', '{"a":1,"lock_scope":[]}'],
    code: 'UNTRUSTED_CONTEXT_BLOCK',
  },
  {
    fields: TEXTS_WITHOUT_SECRETS,
    values: ['AKIAIOSFODNN7EXAMPLE', 'token=not-a-real-token'],
    code: 'UNTRUSTED_CONTEXT_BLOCK',
  },
  {
    // A code nobody can look up helps nobody.
    fields: [
      ['orchestrator-output', '/blockers/*/code'],
      ['handoff-bundle', '/open_blockers/*/code'],
      ['worklog-entry', '/code'],
    ],
    values: ['OUT_OF_COFFEE'],
    code: 'SCHEMA_INVALID',
  },
  { fields: [['agent-response', '/summary_for_supervisor']], values: ['', ' \n'], code: 'SCHEMA_INVALID' },
  { fields: [['pipeline', '/stages/*/default_next']], values: ['no_such_stage'], code: 'SCHEMA_INVALID' },
  // The code of the next two depends on the status beside them: see OVERRULED.
  { fields: [['subagent-result', '/acceptance_check/*/evidence']], values: ['', ' \t'], code: 'SCHEMA_INVALID' },
  { fields: [['reconcile', '/ledger/*/owner']], values: ['', '  '], code: 'OK' },
];

export function* ruledMutations(contract: ContractName, pointer: string): Iterable<Mutation> {
  for (const { fields, values, code } of RULED) {
    if (!fields.some(([name, path]) => name === contract && pointerFits(pointer, path))) continue;
    for (const value of values) yield { what: `is ${JSON.stringify(value).slice(0, 40)}`, value, code };
  }
}

type Asked = { contract: ContractName; pointer: string; what: string; payload: unknown; code: string };
type Overruling = {
  because: string;
  fields: readonly Field[];
  what: RegExp;
  when?(beside: Record<string, unknown>): boolean;
  code: string;
};

const OVERRULED: readonly Overruling[] = [
  {
    because: 'a done without evidence is not malformed but unproven',
    fields: [['subagent-result', '/acceptance_check/*/evidence']],
    what: /^is /,
    when: (result) => result.status === 'done',
    code: 'ACCEPTANCE_FAILED',
  },
  {
    because: 'a task in progress needs an owner, any other may wait without one',
    fields: [['reconcile', '/ledger/*/owner']],
    what: /^is /,
    when: (row) => row.status === 'in_progress',
    code: 'LEDGER_INCONSISTENT',
  },
  {
    because: 'heartbeats must come more often than the timeout',
    fields: [
      ['assignment', '/task/timeout_seconds'],
      ['orchestrator-output', '/assignments/*/task/timeout_seconds'],
      ['plan', '/tasks/*/timeout_seconds'],
    ],
    what: /^the minimum$/,
    when: (task) => (task.heartbeat_interval_seconds as number) >= (task.timeout_seconds as number),
    code: 'SCHEMA_INVALID',
  },
  {
    because: 'with a shorter timeout the last heartbeat is too old',
    fields: [['watchdog', '/tasks/*/timeout_seconds']],
    what: /^the minimum$/,
    when: (task) => task.status === 'in_progress' && task.last_heartbeat_at !== '2025-11-20T10:20:30Z',
    code: 'TASK_TIMEOUT',
  },
  {
    because: 'a path may have 1024 UTF-16 units, and characters beyond the BMP take two',
    fields: WORKLOG_PATHS,
    what: /beyond the BMP/,
    code: 'SCHEMA_INVALID',
  },
  {
    because: 'an event of an unknown type may carry anything, or more types could never come',
    fields: [['event', '/msg/unknown_field']],
    what: /^unknown field$/,
    when: (msg) => msg.type === 'weather_changed',
    code: 'OK',
  },
  {
    because: 'a stage can only wait for what is there',
    fields: [
      ['pipeline', '/stages/*/after/*'],
      ['pipeline', '/stages/*/requires/*'],
    ],
    what: /as short as allowed/,
    code: 'SCHEMA_INVALID',
  },
];

/** The code of a rule, where one has the last word. */
export function expectedCode({ contract, pointer, what, payload, code }: Asked): string {
  if (code === 'OK' && repeatsAKey(contract, pointer, payload)) return 'KEY_REUSED';
  const rule = OVERRULED.find(
    ({ fields, what: changes, when }) =>
      fields.some(([name, path]) => name === contract && pointerFits(pointer, path)) &&
      changes.test(what) &&
      (when === undefined || when(besideOf(contract, pointer, payload))),
  );
  return rule?.code ?? code;
}

/** The object that holds the changed field; for a result the result itself, whose status decides. */
function besideOf(contract: ContractName, pointer: string, payload: unknown): Record<string, unknown> {
  const steps = contract === 'subagent-result' ? [] : pointer.split('/').slice(1, -1);
  return steps.reduce((at, step) => at[step] as Record<string, unknown>, payload as Record<string, unknown>);
}

/** One of two deltas with the same id was changed: now they contradict each other. */
function repeatsAKey(contract: ContractName, pointer: string, payload: unknown): boolean {
  const deltas = contract === 'ledger-delta' ? payload : (payload as { ledger_delta?: unknown })?.ledger_delta;
  if (!Array.isArray(deltas) || !/^(?:\/ledger_delta)?\/\d+\//.test(pointer)) return false;
  const index = Number(/\d+/.exec(pointer)?.[0]);
  return deltas.filter(({ delta_id }) => delta_id === deltas[index].delta_id).length > 1;
}
