/**
 * Every contract by name, with the folder of its module (`<folder>/<name>.ts`). No validator is imported here, so that
 * the command line can list and suggest names without loading any.
 */
export const CONTRACT_FOLDERS = {
  'agent-request-000': 'job',
  'agent-response': 'job',
  'job-manifest': 'job',
  'job-history': 'job',
  'recovery-point': 'job',
  'agent-request': 'bridge',
  'bridge-response': 'bridge',
  'checkpoint-state': 'bridge',
  envelope: 'envelope',
  pipeline: 'envelope',
  'stage-perception': 'envelope',
  'stage-intent': 'envelope',
  'stage-plan': 'envelope',
  'stage-execution': 'envelope',
  'stage-critic': 'envelope',
  'stage-integration': 'envelope',
  'processing-record': 'envelope',
  'envelope-error': 'envelope',
  assignment: 'operator',
  'orchestrator-output': 'operator',
  'subagent-result': 'operator',
  'worklog-entry': 'operator',
  'handoff-bundle': 'operator',
  'ledger-delta': 'operator',
  locks: 'operator',
  reconcile: 'operator',
  watchdog: 'operator',
  plan: 'operator',
  submission: 'session',
  event: 'session',
  agent: 'agent',
  'agent-query': 'agent',
  'sub-agent-spec': 'agent',
  'lifecycle-transition': 'agent',
  'lifecycle-event': 'agent',
  'verification-report': 'agent',
  'cort-options': 'agent',
  'cort-reasoning-tree': 'agent',
  visualization: 'agent',
  scenario: 'agent',
  verdict: 'baton',
  project: 'baton',
  config: 'baton',
  prices: 'baton',
  'job-order': 'api',
  'job-act': 'api',
  'inbox-answer': 'api',
  'envelope-order': 'api',
  'ledger-order': 'api',
  'ledger-act': 'api',
  'budget-order': 'api',
  'token-order': 'api',
  'rule-order': 'api',
  'handoff-claim': 'api',
  'handoff-report': 'api',
} as const;

export type ContractName = keyof typeof CONTRACT_FOLDERS;
export const CONTRACT_NAMES = Object.keys(CONTRACT_FOLDERS) as ContractName[];

export function isContractName(name: string): name is ContractName {
  return Object.hasOwn(CONTRACT_FOLDERS, name);
}
