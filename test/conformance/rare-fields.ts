import type { ContractName } from '../../src/contracts/contract-names.js';

const QUESTIONS = { clarification_question: 'Which branch?', confirmation_message: 'Delete the branch?' };
const SECURITY = {
  level: 'Restricted',
  sandbox: 'read-only',
  network: ['*.example.com:443'],
  paths: ['src/'],
  tools: ['read_file'],
};
const LIMITS = { cost_usd: 5, time_minutes: 60, tokens: 3_000_000, interactions: 50 };
const REGISTRATION = {
  schema_version: '1.0.0',
  id: 'reviewer',
  adapter: 'command',
  description: 'Reviews patches',
  command: ['review', '--json'],
  bin: '/usr/bin/review',
  model: 'large',
  base_url: 'https://models.example.com',
  login: 'key',
  url: 'https://agents.example.com',
  env: ['REVIEW_KEY'],
  header_env: { 'X-Key': 'REVIEW_KEY' },
  allow_private: false,
  wire: 'chat',
  dir: 'bridge',
  file: 'answers.json',
  labels: ['gpu'],
  parent: 'lead',
  capabilities: ['review'],
  sandbox: 'read-only',
  classification: 'Component.Research.A2A.Peer.On-Demand.Public',
  security: SECURITY,
  limits: LIMITS,
  status: 'available',
  state: 'Running',
};
const PROVIDER = { base_url: 'https://models.example.com/v1', key_env: 'MODELS_KEY' };
const ISSUE = { type: 'style', message: 'The line is long', severity: 'info' };
const AT = '2025-11-20T10:00:00Z';

/** Valid payloads for the fields that no example in examples/payloads needs to show. */
export const RARE_FIELDS: Partial<Record<ContractName, readonly unknown[]>> = {
  'job-history': [
    [
      {
        sequence: 0,
        timestamp: AT,
        state_before: 'PENDING',
        request: { prompt: 'p', files_context: ['a'], metadata: { role: 'Worker', temperature: 0, max_tokens: 1 } },
        response: {
          status: 'SUCCESS',
          action: 'COMPLETED',
          evidence_files: [],
          raw_response: '{}',
          execution_time_seconds: 0,
          cost_usd: 0,
        },
      },
    ],
    {
      job_id: 'j',
      created_at: AT,
      interactions: [],
      recovery_points: [
        {
          checkpoint_id: 'p',
          sequence: 0,
          rollback_files: ['tests/'],
          created_at: AT,
          metadata: { confidence: 'high', evidence_count: 0, test_pass_rate: '100%' },
        },
      ],
    },
  ],
  envelope: [
    {
      envelope_id: 'env_0123456789abcdef',
      request_id: 'req_0123456789abcdef',
      user_id: 'u',
      session_id: 'sess_0123456789abcdef',
      raw_input: 'Where is login?',
      outputs: {},
      current_stage: 'intent',
      terminated: false,
      prior_plans: [{ plan_id: 'p1' }],
      critic_feedback: ['No file is named'],
    },
  ],
  'stage-perception': [{ normalized_input: 'x', context: { session_history: ['hello'] }, ...QUESTIONS }],
  'stage-intent': [{ intent: 'explain', goals: [], ...QUESTIONS }],
  'stage-plan': [{ plan_id: 'p', steps: [], ...QUESTIONS }],
  'stage-execution': [{ status: 'success', results: [], ...QUESTIONS }],
  'stage-critic': [{ verdict: 'approved', ...QUESTIONS }],
  'stage-integration': [{ final_response: 'In auth.py', ...QUESTIONS }],
  submission: [
    { id: 's', op: { type: 'configure_session', cwd: '/srv', security: SECURITY, limits: LIMITS } },
    { id: 's', op: { type: 'register_agent', agent: REGISTRATION } },
    {
      id: 's',
      op: { type: 'spawn_sub_agent', spec: { parent_id: 'a', purpose: 'p', security: SECURITY, limits: LIMITS } },
    },
  ],
  event: [
    { id: 's', msg: { type: 'task_started', model_context_window: 200_000 } },
    { id: 's', msg: { type: 'apply_patch_approval_request', call_id: 'c', changes: { 'a.ts': { delete: true } } } },
    { id: 's', msg: { type: 'patch_apply_begin', call_id: 'c', changes: { 'a.ts': { delete: true } } } },
    { id: 's', msg: { type: 'mcp_tool_call_begin', call_id: 'c', server: 's', tool: 't', arguments: { a: 1 } } },
    { id: 's', msg: { type: 'mcp_tool_call_end', call_id: 'c', result: 'ok' } },
  ],
  agent: [REGISTRATION],
  'sub-agent-spec': [{ parent_id: 'a', purpose: 'p', security: SECURITY, limits: LIMITS }],
  'cort-reasoning-tree': [
    {
      trace_id: 't',
      question: 'q',
      options: {},
      thoughts: [],
      checkpoints: [
        {
          id: 'c',
          thought_id: 't1',
          depth: 0,
          report: {
            id: 'r',
            kind: 'result',
            subject: 's',
            stages: [{ stage: 'universal', valid: false, confidence: 0.5, issues: [ISSUE] }],
            valid: false,
            issues: [ISSUE],
            confidence: 0.5,
            human_review_required: true,
          },
        },
      ],
      snapshots: [],
    },
  ],
  scenario: [
    {
      schema_version: '1.0.0',
      name: 's',
      title: 't',
      agents: [{ id: 'a', agent: 'claude' }],
      steps: [{ from: 'a', to: 'a', message: 'm' }],
      visualization: { diagramId: 'd', agencyContext: 'web team', theme: 'dark' },
    },
  ],
  project: [
    { $schema: 'project.json', setup: ['npm', 'ci'], rules: [{ decision: 'ask', host: 'example.com', repo: 'shop' }] },
  ],
  config: [
    {
      $schema: 'config.json',
      sandbox: { setup: 'workspace-write' },
      providers: { openai: PROVIDER, anthropic: PROVIDER },
      classification: { primary_type: ['Tool'], capability: ['Search'], role: ['Scout'], lifecycle: ['Weekly'] },
    },
  ],
  prices: [{ $schema: 'prices.json', models: {} }],
};
