import { expect, onTestFinished, test } from 'vitest';
import { ServerProcess } from '../../server/server-process.js';
import { messagesOf } from '../../server/sse-client.js';
import { EnvelopeStage, type Given, SILENT, timeless } from './envelope-stage.js';

async function staged(more: readonly object[] = []): Promise<{ stage: EnvelopeStage; agent: string }> {
  const stage = await EnvelopeStage.start();
  return { stage, agent: stage.bot(more) };
}

test('the call of the document: an envelope in, the updated one out with 200, without a key [R290] [R291] [R292]', async () => {
  const { stage, agent } = await staged();
  const { status, given, headers } = await stage.process(stage.fresh(), { agent });
  expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('application/json')]);
  expect(Object.keys(given.outputs)).toEqual(['perception', 'intent', 'plan', 'execution', 'critic', 'integration']);
});

test('one stage at a time gives the same as all at once, and the same step twice is made once [R293] [R294]', async () => {
  const { stage, agent } = await staged();
  const whole = await stage.process(stage.fresh({ envelope_id: 'env_00000000000000aa' }), { agent });
  let envelope = stage.fresh() as unknown as Given;
  const seen: string[] = [];
  while (!envelope.terminated) {
    const { given } = await stage.process(envelope, { agent, mode: 'step' });
    expect((await stage.process(envelope, { agent, mode: 'step' })).given).toEqual(given);
    envelope = given;
    seen.push(given.current_stage);
    expect(given.agent_hop_count).toBe(seen.length);
  }
  expect(seen).toEqual(['intent', 'plan', 'execution', 'critic', 'integration', 'end']);
  expect({ ...timeless(envelope), envelope_id: 0 }).toEqual({ ...timeless(whole.given), envelope_id: 0 });
});

test('async answers at once; the envelope is waited for, looked at and listened to', async () => {
  const { stage, agent } = await staged([
    { when: { stage: 'perception' }, answer: { normalized_input: 'x' }, delay_ms: 300 },
  ]);
  const envelope = stage.fresh();
  const begun = await stage.process(envelope, { agent, mode: 'async' });
  expect(begun).toMatchObject({ status: 202, given: { run_id: envelope.envelope_id } });
  const at = `/envelopes/${envelope.envelope_id}`;
  expect((await stage.get(at)).json).toMatchObject({ terminated: false, outputs: {} });
  const over = new AbortController();
  const heard: string[] = [];
  const url = `${stage.server.url}/api/v1/runs/${envelope.envelope_id}/events`;
  for await (const { data } of messagesOf(url, { token: stage.token, signal: over.signal })) {
    heard.push(String(data.type));
    if (heard.filter((type) => type === 'EnvelopeMoved').length === 6) break;
  }
  over.abort();
  expect(heard.filter((type) => type === 'StagesStarted')).toHaveLength(6);
  expect(heard.filter((type) => type === 'StageEnded')).toHaveLength(6);
  const { json } = await stage.get(`${at}?wait=30`);
  expect(json).toMatchObject({ terminal_reason: 'completed_successfully' });
  const board = (await stage.get(`${at}/board`)).json as unknown as { passes: { stage: string; status: string }[] };
  expect(board.passes.map((pass) => [pass.stage, pass.status])).toEqual(
    ['perception', 'intent', 'plan', 'execution', 'critic', 'integration'].map((name) => [name, 'success']),
  );
  for (const [where, status, code] of [
    ['/envelopes/env_ffffffffffffffff', 404, 'RUN_NOT_FOUND'],
    [`${at}?wait=301`, 400, 'USAGE'],
    [`${at}?wait=soon`, 400, 'USAGE'],
  ] as const) {
    const refused = await stage.get(where);
    expect([where, refused.status, refused.json.code]).toEqual([where, status, code]);
  }
  expect(await stage.process(stage.fresh(), { agent, mode: 'fast' })).toMatchObject({ status: 400 });
});

test('a key makes one act of two requests, and is refused for another envelope', async () => {
  const { stage, agent } = await staged();
  const envelope = stage.fresh();
  const first = await stage.process(envelope, { agent }, { key: 'k-1' });
  const again = await stage.process(envelope, { agent }, { key: 'k-1' });
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.given).toEqual(first.given);
  const other = await stage.process(stage.fresh(), { agent }, { key: 'k-1' });
  expect(other).toMatchObject({ status: 409, given: { code: 'KEY_REUSED', error: true } });
});

test('many, one a line: answers in the same order, each as if it had been sent alone and by the command line', async () => {
  const { stage, agent } = await staged();
  stage.pipeline(SILENT);
  const envelopes = Array.from({ length: 40 }, () => stage.fresh());
  const lines = envelopes.map((one) => JSON.stringify(one));
  lines.splice(3, 0, '{"raw_input":');
  lines.splice(7, 0, JSON.stringify({ ...stage.fresh(), envelope_id: 'x' }));
  const body = lines.join('\n');
  const query = new URLSearchParams({ agent, pipeline: 'silent' });
  const { status, headers, text } = await stage.raw(`/process?${query}`, body, { 'content-type': 'application/x-ndjson' });
  expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const elsewhere = new EnvelopeStage();
  elsewhere.pipeline(SILENT);
  const typed = await elsewhere.command(['process', '--lines', '--agent', agent, '--pipeline', 'silent'], body);
  const [over, by] = [text, typed.out].map((all) =>
    all.trimEnd().split('\n').map((line) => timeless(JSON.parse(line)) as Given & { line?: number }),
  );
  expect(over).toEqual(by);
  expect(over?.map(({ envelope_id, line }) => envelope_id ?? line)).toEqual(
    lines.map((_, index) => (index === 3 || index === 7 ? index + 1 : envelopes[index - (index > 7 ? 2 : index > 3 ? 1 : 0)]?.envelope_id)),
  );
  // Only there: elsewhere one object is asked for.
  const job = await stage.raw('/jobs', '{}\n', { 'content-type': 'application/x-ndjson' });
  expect([job.status, job.json.code]).toEqual([415, 'UNSUPPORTED_MEDIA']);
});

test('beside a running server the command line gives the same, and takes a pipeline from a file [R289]', async () => {
  const stage = new EnvelopeStage();
  const server = new ServerProcess(stage.home);
  onTestFinished(() => server.stop());
  await server.start();
  const agent = stage.bot();
  const file = stage.written('mine.json', SILENT);
  const served = await stage.command(['process', '--agent', agent], stage.fresh());
  expect([served.exit, served.printed.terminal_reason]).toEqual([0, 'completed_successfully']);
  const own = await stage.command(['process', '--agent', agent, '--pipeline', file], stage.fresh());
  expect([own.exit, Object.keys(own.printed.outputs)]).toEqual([0, SILENT.stages.map(({ name }) => name)]);
  const bound = await stage.command(['process', '--agent', agent], stage.fresh({ max_agent_hops: 2 }));
  expect([bound.exit, bound.printed.terminal_reason]).toEqual([4, 'max_agent_hops_exceeded']);
  const step = await stage.command(['step', '--agent', agent], stage.fresh());
  expect([step.exit, step.printed.current_stage]).toEqual([0, 'intent']);
  const refused = await stage.command(['process', '--agent', agent], stage.fresh({ envelope_id: 'x' }));
  expect(refused).toMatchObject({ exit: 1, printed: { code: 'SCHEMA_INVALID', error: true } });
  await server.stop();
  const here = await stage.command(['process', '--agent', agent], served.printed);
  expect(here.printed).toEqual(served.printed);
});
