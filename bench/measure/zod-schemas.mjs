// The same two contracts in zod, for comparison only: no cross-field rules.
async function zodOrNothing() {
  try {
    return (await import('../../test/tools/node_modules/zod/index.js')).z;
  } catch {
    return undefined;
  }
}

export async function assignmentWithZod() {
  const z = await zodOrNothing();
  if (!z) return undefined;
  const text = z.string().min(1).regex(/\S/);
  const taskId = z.string().regex(/^(T-[0-9]+|[0-9a-fA-F-]{36})$/);
  return z.looseObject({
    schema_version: z.string().regex(/^1\.[0-9]+\.[0-9]+$/),
    run_id: z.uuid({ version: 'v4' }),
    packet_type: z.literal('assignment'),
    global_objective: text.max(5000),
    required_output_schema: z.literal('subagent_result_v1'),
    task: z.looseObject({
      task_id: taskId,
      title: text.max(500),
      type: z.enum(['parallelizable', 'serial']),
      dependencies: z.array(taskId),
      lock_scope: z.array(text).min(1),
      forbidden_scope: z.array(text),
      acceptance_criteria: z.array(text).min(1),
      worklog_path: text.max(1000),
      timeout_seconds: z.int().min(30),
      heartbeat_interval_seconds: z.int().min(5),
      priority: z.enum(['low', 'normal', 'high', 'critical']).optional(),
    }),
    context_package: z.array(z.looseObject({ kind: z.enum(['file', 'note', 'command', 'constraint']), value: text })),
    active_locks: z.array(z.looseObject({ task_id: taskId, resource: text, active: z.boolean() })),
  });
}

export async function envelopeWithZod() {
  const z = await zodOrNothing();
  if (!z) return undefined;
  const id = (kind) => z.string().regex(new RegExp(`^${kind}_[a-f0-9]{16}$`));
  const count = z.int().min(0).optional();
  const words = z.array(z.string()).optional();
  const objects = z.array(z.looseObject({})).optional();
  const nullableText = z.string().nullable().optional();
  return z.looseObject({
    envelope_id: id('env'),
    request_id: id('req'),
    session_id: id('sess'),
    user_id: z.string(),
    raw_input: z.string(),
    received_at: z.iso.datetime({ offset: true }).optional(),
    outputs: z.record(z.string(), z.looseObject({})),
    current_stage: z.string(),
    stage_order: words,
    iteration: count,
    max_iterations: count,
    llm_call_count: count,
    max_llm_calls: count,
    agent_hop_count: count,
    max_agent_hops: count,
    terminal_reason: nullableText,
    terminated: z.boolean(),
    termination_reason: nullableText,
    clarification_pending: z.boolean().optional(),
    clarification_question: nullableText,
    clarification_response: nullableText,
    confirmation_pending: z.boolean().optional(),
    confirmation_id: nullableText,
    confirmation_message: nullableText,
    confirmation_response: z.boolean().nullable().optional(),
    completed_stages: objects,
    current_stage_number: count,
    max_stages: count,
    all_goals: words,
    remaining_goals: words,
    goal_completion_status: z.record(z.string(), z.enum(['pending', 'satisfied', 'failed'])).optional(),
    prior_plans: objects,
    critic_feedback: words,
    errors: objects,
    completed_at: z.iso.datetime({ offset: true }).nullable().optional(),
    metadata: z.looseObject({}).optional(),
  });
}
