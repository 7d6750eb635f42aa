import { expect, test } from 'vitest';
import { EnvelopeStage, type Given, idOf, type Sent } from './envelope-stage.js';

const BYTES_MAX = 2 * 1024 * 1024;

async function staged(): Promise<{ stage: EnvelopeStage; query: { agent: string } }> {
  const stage = await EnvelopeStage.start();
  return { stage, query: { agent: stage.bot() } };
}

async function runsOf(stage: EnvelopeStage): Promise<number> {
  return (await stage.get('/runs?kind=envelope')).json.items?.length ?? 0;
}

const refused: readonly [string, Sent, number, string, string][] = [
  ['an id of another pattern', { envelope_id: 'env_1' }, 422, 'SCHEMA_INVALID', '/envelope_id'],
  ['a request id of another pattern', { request_id: 'REQ' }, 422, 'SCHEMA_INVALID', '/request_id'],
  ['a session id of another pattern', { session_id: 'sess-1' }, 422, 'SCHEMA_INVALID', '/session_id'],
  ['an id that is a number', { envelope_id: 7 }, 422, 'SCHEMA_INVALID', '/envelope_id'],
  ['no words', { raw_input: undefined }, 422, 'MISSING_REQUIRED_INPUT', 'raw_input'],
  ['no outputs', { outputs: undefined }, 422, 'MISSING_REQUIRED_INPUT', 'outputs'],
  ['no stage', { current_stage: undefined }, 422, 'MISSING_REQUIRED_INPUT', 'current_stage'],
  ['terminated as a text', { terminated: 'no' }, 422, 'SCHEMA_INVALID', '/terminated'],
  ['outputs in a list', { outputs: [] }, 422, 'SCHEMA_INVALID', '/outputs'],
  ['an output that is a text', { outputs: { plan: 'p' } }, 422, 'SCHEMA_INVALID', '/outputs/plan'],
  ['a counter below zero', { llm_call_count: -1 }, 422, 'SCHEMA_INVALID', '/llm_call_count'],
  ['half a hop', { agent_hop_count: 0.5 }, 422, 'SCHEMA_INVALID', '/agent_hop_count'],
  ['a bound of none', { max_llm_calls: 0 }, 422, 'SCHEMA_INVALID', '/max_llm_calls'],
  ['an end nobody knows', { terminal_reason: 'tired' }, 422, 'SCHEMA_INVALID', '/terminal_reason'],
  ['a time that is none', { received_at: 'yesterday' }, 422, 'SCHEMA_INVALID', '/received_at'],
  ['a stage that is none', { current_stage: 'dance' }, 422, 'SCHEMA_INVALID', '/current_stage'],
  ['a pipeline nobody knows', { pipeline: 'mine' }, 422, 'PIPELINE_NOT_FOUND', 'mine'],
  ['another pipeline than the one that is run', { pipeline: 'review' }, 422, 'ENVELOPE_MISMATCH', '/pipeline'],
];

test('what is no envelope is refused with its code, and nothing is recorded [R288] [R290]', async () => {
  const { stage, query } = await staged();
  for (const [name, more, status, code, words] of refused) {
    const answer = await stage.process(stage.fresh(more), query);
    expect([answer.status, answer.given.code], name).toEqual([status, code]);
    expect(answer.given, name).toMatchObject({ error: true, allow: false, message: expect.stringContaining(words) });
  }
  expect(await runsOf(stage)).toBe(0);
});

test('the command line says the same of the same', async () => {
  const stage = new EnvelopeStage();
  const words = ['process', '--lines', '--agent', stage.bot()];
  const input = refused.map(([, more]) => `${JSON.stringify(stage.fresh(more))}\n`).join('');
  const { exit, out } = await stage.command(words, input);
  expect(exit).toBe(1);
  const lines = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Given & { line: number });
  expect(lines.map(({ code, error, line }) => [code, error, line])).toEqual(
    refused.map(([, , , code], index) => [code, true, index + 1]),
  );
  expect((await stage.json('events')).printed.items).toEqual([]);
});

const garbled: readonly [string, string, number, string][] = [
  ['nothing', '', 422, 'SCHEMA_INVALID'],
  ['no JSON', '{"envelope_id":', 400, 'SCHEMA_INVALID'],
  ['a name twice', '{"raw_input":"a","raw_input":"b"}', 400, 'SCHEMA_INVALID'],
  ['a name every object has', '{"__proto__":{"terminated":false}}', 400, 'SCHEMA_INVALID'],
  ['depth', `${'['.repeat(200)}${']'.repeat(200)}`, 400, 'SCHEMA_INVALID'],
  ['a list', '[]', 422, 'SCHEMA_INVALID'],
  ['null', 'null', 422, 'SCHEMA_INVALID'],
  ['bytes that are no text', '\udc00{}', 400, 'SCHEMA_INVALID'],
];

test('bytes that are no envelope are refused as such', async () => {
  const { stage } = await staged();
  const said: [string, number, string | undefined][] = [];
  for (const [name, text] of garbled) {
    const { status, json } = await stage.raw(`/process?agent=${stage.bot()}`, text);
    said.push([name, status, json.code]);
    expect(json, name).toMatchObject({ error: true, message: expect.any(String) });
  }
  expect(said).toEqual(garbled.map(([name, , status, code]) => [name, status, code]));
  expect(await runsOf(stage)).toBe(0);
});

test('envelopes of all versions, with nulls and times of any precision, go through and keep what they had [R340] [R341] [R342] [R351]', async () => {
  const { stage, query } = await staged();
  const nulls = { stage_order: null, all_goals: null, prior_plans: null, errors: null, metadata: null };
  const unknown = { x_trace: { deep: [1, { a: null }] }, 'Ünknown ✓': 0.1, 'outputs~': {} };
  const sent: readonly Sent[] = [
    stage.fresh(),
    stage.fresh({ ...nulls, received_at: '2026-01-02T03:04:05.123456+05:30' }),
    stage.fresh({ completed_stages: null, goal_completion_status: null, max_stages: 2 }),
    stage.fresh({ received_at: '2026-01-02T03:04:05.000001Z', ...unknown }),
  ];
  for (const before of sent) {
    const { status, given } = await stage.process(before, query);
    expect([status, given.terminal_reason]).toEqual([200, 'completed_successfully']);
    for (const [name, value] of Object.entries(before)) {
      if (value === null || ['outputs', 'current_stage', 'terminated'].includes(name)) continue;
      expect((given as Sent)[name], name).toEqual(value);
    }
    expect(given).toMatchObject({
      errors: [],
      prior_plans: [],
      metadata: {},
      iteration: 0,
      max_stages: expect.any(Number),
    });
    expect(Object.values(given)).not.toContain(undefined);
  }
});

test('outputs of almost two megabytes pass; one byte too many is refused before and never made', async () => {
  const { stage, query } = await staged();
  const full = (bytes: number) => {
    const envelope = stage.fresh({ outputs: { seen: { text: '' } } });
    const left = bytes - Buffer.byteLength(JSON.stringify(envelope));
    return { ...envelope, outputs: { seen: { text: 'x'.repeat(left) } } };
  };
  const over = await stage.process(full(BYTES_MAX + 1), query);
  expect([over.status, over.given.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(await runsOf(stage)).toBe(0);

  // There is no room for what the stages write.
  const exact = full(BYTES_MAX);
  const { status, given } = await stage.process(exact, query);
  expect(status).toBe(200);
  expect(given).toMatchObject({ terminated: true, terminal_reason: 'tool_failed_fatally' });
  expect(given.errors?.at(-1)).toMatchObject({ error_type: 'OutputTooLarge' });

  const room = full(BYTES_MAX - 20_000);
  const done = await stage.process(room, query);
  expect(done.given).toMatchObject({ terminal_reason: 'completed_successfully', outputs: room.outputs });
});

test('an id that a run of another kind has is taken', async () => {
  const { stage, query } = await staged();
  const envelope = stage.fresh({ envelope_id: idOf('env', 77) });
  const job = await stage.post('/jobs', { id: envelope.envelope_id, prompt: 'Do it', agent: 'human' });
  expect(job.status).toBe(201);
  const { status, given } = await stage.process(envelope, query);
  expect([status, given.code]).toEqual([409, 'ID_TAKEN']);
  expect((await stage.get(`/envelopes/${envelope.envelope_id}`)).status).toBe(404);
});
