/** Who may do what, from the least to the most. Whoever has a role has those before it. */
export const ROLES = ['viewer', 'worker', 'orchestrator', 'supervisor', 'steward', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Everything that can be done through the server, with the least role that may. Looking is for everybody who has a
 * token; work is handed in by workers; what is decided about an agent's work is for people.
 */
export const LEAST_ROLE = {
  look: 'viewer',
  'console.open': 'viewer',
  validate: 'viewer',
  'handoff.work': 'worker',
  'job.poststep': 'worker',
  'ledger.work': 'worker',
  'job.create': 'orchestrator',
  'job.activate': 'orchestrator',
  'job.run': 'orchestrator',
  'job.cancel': 'orchestrator',
  'job.tell': 'orchestrator',
  'job.rank': 'orchestrator',
  'job.fork': 'orchestrator',
  'ledger.lead': 'orchestrator',
  'envelope.process': 'orchestrator',
  'session.open': 'orchestrator',
  'session.input': 'orchestrator',
  'job.review': 'supervisor',
  'job.rule': 'steward',
  'job.raise': 'steward',
  'job.rollback': 'steward',
  'job.land': 'steward',
  'inbox.answer': 'steward',
  'session.approve': 'steward',
  'rule.change': 'steward',
  'budget.change': 'steward',
  'agent.register': 'admin',
  'token.change': 'admin',
} as const satisfies Record<string, Role>;
export type Verb = keyof typeof LEAST_ROLE;

export function may(role: Role, verb: Verb): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(LEAST_ROLE[verb]);
}

/** Every verb that a role may, for whoever wants to offer nothing else. */
export function allowedTo(role: Role): readonly Verb[] {
  return (Object.keys(LEAST_ROLE) as Verb[]).filter((verb) => may(role, verb));
}
