import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Envelope } from '../../src/client/index.js';
import { ConsoleStage, HOSTILE } from './console-stage.js';

/** The pipeline of contract 002, with agents alone, and a plan that may ask before it goes on. */
const PLAIN = {
  schema_version: '1.0.0',
  name: 'plain',
  max_critic_fires: 3,
  stages: [
    { name: 'perception', output_key: 'perception', default_next: 'intent' },
    {
      ...{ name: 'intent', output_key: 'intent', default_next: 'plan' },
      rules: [{ field: 'clarification_needed', equals: true, to: 'clarification' }],
    },
    {
      ...{ name: 'plan', output_key: 'plan', default_next: 'execution' },
      rules: [{ field: 'asks', equals: true, to: 'confirmation' }],
    },
    { name: 'execution', output_key: 'execution', default_next: 'critic' },
    {
      ...{ name: 'critic', output_key: 'critic', default_next: 'integration' },
      rules: [
        { field: 'verdict', equals: 'reintent', to: 'intent' },
        { field: 'verdict', equals: 'next_stage', to: 'plan' },
      ],
    },
    { name: 'integration', output_key: 'integration', default_next: 'end' },
  ],
};

const GOALS = ['Name the files that handle login', 'Explain where the session is kept', 'Say how long it lasts'];
const STEPS = [
  { tool: 'code_search', params: { query: 'login(' }, expected_output: 'where login is called' },
  { tool: 'read_file', params: { path: 'src/server/session.ts' } },
];
const EVIDENCE = [
  { location: 'src/server/session.ts:14', content: 'const HOURS = 12;', relevance: 'how long it lasts' },
];
const RESULTS = [
  { step_index: 0, tool: 'code_search', result: '3 matches', duration_ms: 41 },
  { step_index: 1, tool: 'read_file', result: '88 lines', duration_ms: 3 },
];

type Entry = { when?: { stage: string }; answer?: unknown; times?: number; delay_ms?: number; fail?: string };

const on = (stage: string, answer: object, more: Partial<Entry> = {}): Entry => ({ when: { stage }, answer, ...more });
const used = (cost_usd: number) => ({ x_usage: { input_tokens: 1_840, output_tokens: 312, cost_usd } });
const INTENT = { ...used(0.03), intent: 'explain', goals: GOALS, confidence: 0.82 };
const PLAN = { ...used(0.07), plan_id: 'plan-1', steps: STEPS, estimated_complexity: 'low' };
const EXECUTION = { ...used(0.09), status: 'success', results: RESULTS, evidence: EVIDENCE };
const QUESTION = 'Do you mean the login of the console, or that of the command line?';

/** Each with answers of an agent that lead an envelope into one state. */
const SCRIPTS: Readonly<Record<string, readonly Entry[]>> = {
  /** Sent back twice, then it asks; with an answer it reaches its end. */
  asker: [
    on('perception', { normalized_input: 'How does login work?' }),
    on('intent', INTENT, { times: 1 }),
    on('intent', { ...INTENT, goals: GOALS.slice(0, 2), confidence: 0.7 }, { times: 1 }),
    on('intent', { ...INTENT, clarification_needed: true, clarification_question: QUESTION }, { times: 1 }),
    on('intent', { ...INTENT, confidence: 0.97 }),
    on('plan', PLAN, { times: 1 }),
    on('plan', { ...PLAN, plan_id: 'plan-2', steps: STEPS.slice(0, 1) }),
    on('execution', EXECUTION),
    on(
      'critic',
      { verdict: 'reintent', feedback: 'The plan reads the wrong folder. Sessions are kept by the server.' },
      { times: 1 },
    ),
    on('critic', { verdict: 'reintent', feedback: 'Two kinds of login are mixed up.' }, { times: 1 }),
    on('critic', { verdict: 'approved', satisfied_goals: GOALS, confidence: 0.9 }),
    on('integration', {
      final_response: 'Login is handled in src/server/session.ts. A session lasts twelve hours.',
    }),
  ],
  /** Works in two stages, and asks before it goes on. */
  planner: [
    on('perception', { normalized_input: 'Clean up' }),
    on('intent', INTENT),
    on('plan', {
      ...PLAN,
      asks: true,
      confirmation_message: 'Run 2 steps that change things: code_search, read_file?',
    }),
    on('execution', EXECUTION),
    on(
      'critic',
      { verdict: 'next_stage', satisfied_goals: GOALS.slice(0, 1), feedback: 'The first is met.' },
      { times: 1 },
    ),
    on('critic', { verdict: 'approved', satisfied_goals: GOALS }),
    on('integration', { final_response: 'Done.' }),
  ],
  /** Is never content. */
  looper: [
    on('perception', { normalized_input: 'x' }),
    on('intent', INTENT),
    on('plan', PLAN),
    on('execution', EXECUTION),
    on('critic', { verdict: 'reintent', feedback: 'Once more.' }),
  ],
  thinker: [on('prepare', { summary: 'three looks' }), { answer: {}, delay_ms: 600_000 }],
  failing: [{ when: { stage: 'perception' }, answer: { nothing: true } }],
  hostile: [
    on('perception', { normalized_input: HOSTILE, [HOSTILE]: [HOSTILE, { [HOSTILE]: HOSTILE }] }),
    on('intent', { intent: HOSTILE, goals: [], clarification_needed: true, clarification_question: HOSTILE }),
  ],
};

/** A server with envelopes of every kind. */
export class EnvelopeStage extends ConsoleStage {
  async startWithEnvelopes(): Promise<void> {
    await this.start(async (jobs) => {
      const folder = path.join(jobs.home, 'pipelines');
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, 'plain.json'), JSON.stringify(PLAIN));
      for (const [name, answers] of Object.entries(SCRIPTS)) await jobs.scripted(name, answers);
    });
  }

  /** Sends one, and waits until nobody works on it. */
  async send(
    number: number,
    raw_input: string,
    agent: string,
    more: Partial<Envelope> & { pipeline?: string } = {},
  ): Promise<string> {
    const { pipeline = 'plain', ...fields } = more;
    const envelope = envelopeOf(number, raw_input, fields);
    await this.client.envelopes.begin(envelope, { agent, pipeline });
    if (agent !== 'thinker') await this.client.envelopes.get(envelope.envelope_id, { wait: 60 });
    return envelope.envelope_id;
  }
}

const idOf = (number: number): string => `4be1c09a7d22f68${number}`;

function envelopeOf(number: number, raw_input: string, fields: Partial<Envelope>) {
  return {
    ...{ envelope_id: `env_${idOf(number)}`, request_id: `req_${idOf(number)}`, session_id: `sess_${idOf(number)}` },
    ...{ user_id: 'finance-bot', raw_input, outputs: {}, current_stage: 'start', terminated: false },
    ...fields,
  };
}
