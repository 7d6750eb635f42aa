import type { Envelope } from '../generated/types/envelope.js';

export const ENVELOPE_BOUNDS = { max_iterations: 3, max_llm_calls: 10, max_agent_hops: 21 } as const;

/** Every field of the printed schema, in its order, with what it is when nobody has said; undefined has no such value. */
const defaults = (): Record<string, unknown> => ({
  envelope_id: undefined,
  request_id: undefined,
  user_id: 'anonymous',
  session_id: undefined,
  raw_input: undefined,
  received_at: undefined,
  outputs: {},
  current_stage: undefined,
  stage_order: [],
  iteration: 0,
  max_iterations: ENVELOPE_BOUNDS.max_iterations,
  llm_call_count: 0,
  max_llm_calls: ENVELOPE_BOUNDS.max_llm_calls,
  agent_hop_count: 0,
  max_agent_hops: ENVELOPE_BOUNDS.max_agent_hops,
  terminal_reason: null,
  terminated: undefined,
  termination_reason: null,
  clarification_pending: false,
  clarification_question: null,
  clarification_response: null,
  confirmation_pending: false,
  confirmation_id: null,
  confirmation_message: null,
  confirmation_response: null,
  completed_stages: [],
  current_stage_number: 1,
  max_stages: 5,
  all_goals: [],
  remaining_goals: [],
  goal_completion_status: {},
  prior_plans: [],
  critic_feedback: [],
  errors: [],
  completed_at: null,
  metadata: {},
});

const NONE: ReadonlySet<string> = new Set();

/**
 * A copy in which every field that is missing or null has its default, behind what was there already. A null that has
 * no default is left out; so are the fields in `leftOut` when they are missing.
 */
export function withDefaults(input: object, leftOut: ReadonlySet<string> = NONE): Partial<Envelope> {
  const filled: Partial<Envelope> = { ...input };
  for (const [field, value] of Object.entries(defaults())) {
    const given = filled[field];
    if (given !== undefined && given !== null) continue;
    if (value === undefined) delete filled[field];
    else if (given === null || !leftOut.has(field)) filled[field] = value;
  }
  return filled;
}
