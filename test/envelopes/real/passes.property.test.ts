import { Agent, request } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryEnvelope } from '../arbitrary-envelope.js';
import { EnvelopeStage, type Given, type Sent, SILENT, timeless } from './envelope-stage.js';

/** `BATON_ENVELOPES=10000 npx vitest run test/envelopes/real/passes` is the long version. */
const COUNT = Number(process.env.BATON_ENVELOPES ?? 100);
const SEED = Number(process.env.BATON_SEED ?? Date.now() % 1_000_000);
const LONG_MS = 3_600_000;
const AT_ONCE = 16;

const STAGES = SILENT.stages.map(({ name }) => name);
/** What a pipeline without words writes down by itself. */
const OWN = new Set([
  ...['current_stage', 'terminated', 'terminal_reason', 'termination_reason', 'completed_at', 'processing_history'],
  ...['llm_call_count', 'agent_hop_count', 'goal_completion_status', 'clarification_pending', 'confirmation_pending'],
]);

const any = arbitraryEnvelope({ current_stage: fc.constantFrom('start', 'start', 'three', 'end') });
/** Most of those above have ended or wait; of these most have something to do. */
const open = any.map(({ iteration: _, llm_call_count: __, agent_hop_count: ___, ...rest }) => ({
  ...rest,
  ...{ terminated: false, clarification_pending: false, confirmation_pending: false, current_stage: 'start' },
}));
const sent = fc.sample(fc.oneof(any, open), { numRuns: COUNT, seed: SEED });
const lines = (envelopes: readonly object[]): string => envelopes.map((one) => `${JSON.stringify(one)}\n`).join('');

/** Everything of what was sent that is not the business of the pipeline, as it must come back. */
function untouched(before: Sent, after: Given): void {
  const isOver = before.terminated === true;
  const waits = !isOver && (after.clarification_pending || after.confirmation_pending);
  const about = `seed ${SEED}, ${before.envelope_id}`;
  for (const [name, value] of Object.entries(before)) {
    if (name === 'outputs' || (!isOver && !waits && OWN.has(name))) continue;
    const back = (after as Sent)[name];
    if (value === null) expect([null, '[]', '{}'], `${about}: ${name}`).toContain(back && JSON.stringify(back));
    else expect(JSON.stringify(back), `${about}: ${name}`).toBe(JSON.stringify(value));
  }
  for (const [key, output] of Object.entries(before.outputs as Sent)) {
    expect(JSON.stringify(after.outputs[key]), `${about}: outputs.${key}`).toBe(JSON.stringify(output));
  }
  const added = Object.keys(after.outputs).filter((key) => !Object.hasOwn(before.outputs as object, key));
  expect(STAGES, about).toEqual(expect.arrayContaining(added));
  if (isOver || waits) expect(added, about).toEqual([]);
}

test('envelopes of all versions through silent stages: nothing else is changed, again is the same, and so is HTTP [R289] [R290] [R348] [R349] [R350]', {
  timeout: LONG_MS,
}, async () => {
  console.log(`${COUNT} envelopes, seed ${SEED}`);
  const many = { concurrency: { per_agent: 64, per_login: 64 } };
  const stage = await EnvelopeStage.start(many);
  const typed = new EnvelopeStage();
  typed.configure({ sandbox: { mode: 'none' }, ...many });
  for (const one of [stage, typed]) one.pipeline(SILENT);
  const words = ['process', '--lines', '--pipeline', 'silent', '--agent', stage.bot()];

  const begunMs = performance.now();
  const once = await typed.command(words, lines(sent));
  const tookMs = performance.now() - begunMs;
  const given = once.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Given);
  expect(given).toHaveLength(COUNT);
  for (const [index, before] of sent.entries()) untouched(before, given[index] as Given);

  expect((await typed.command(words, once.out)).out).toBe(once.out);
  expect((await typed.command(words, lines(sent))).out).toBe(once.out);

  const overHttp = await posted(stage, sent);
  for (const [index, one] of overHttp.entries()) {
    expect(timeless(one), `seed ${SEED}`).toEqual(timeless(given[index] as Given));
  }
  tell(given, tookMs);
});

function tell(envelopes: readonly Given[], tookMs: number): void {
  const reasons = new Map<string, number>();
  for (const { terminal_reason } of envelopes) {
    const reason = terminal_reason ?? 'none';
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const hops = envelopes.reduce((sum, { outputs }) => sum + STAGES.filter((name) => outputs[name]).length, 0);
  console.log(`${envelopes.length} in ${(tookMs / 1_000).toFixed(1)} s, ${hops} stages;`, Object.fromEntries(reasons));
}

/** One name may ask 200 times a second, so several ask. */
async function posted(stage: EnvelopeStage, envelopes: readonly Sent[]): Promise<Given[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const given: Given[] = [];
  const query = new URLSearchParams({ pipeline: 'silent', agent: stage.bot() });
  let next = 0;
  const one = async (token: string): Promise<void> => {
    for (let at = next++; at < envelopes.length; at = next++) {
      given[at] = await post(`${stage.server.url}/api/v1/process?${query}`, { agent, token }, envelopes[at]);
    }
  };
  const names = Array.from({ length: AT_ONCE }, (_, index) => stage.tokenOf('orchestrator', `sender-${index}`));
  await Promise.all((await Promise.all(names)).map(one));
  agent.destroy();
  return given;
}

function post(url: string, { agent, token }: { agent: Agent; token: string }, body: unknown): Promise<Given> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent, headers }, async (response) => {
      let text = '';
      for await (const piece of response.setEncoding('utf8')) text += piece;
      resolve(JSON.parse(text));
    });
    asked.on('error', reject).end(JSON.stringify(body));
  });
}
