import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { wantsSpans } from '../../src/server/telemetry/telemetry.js';
import { ANSWERS, JobStage } from '../jobs/job-stage.js';
import { ServerProcess } from './server-process.js';

const LONG_MS = 90_000;
const WAIT = { timeout: 30_000, interval: 100 };
type Attribute = { key: string; value: Record<string, string | number> };
type Wire = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status?: { code?: number };
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
};
type Span = Omit<Wire, 'attributes'> & { attributes: Record<string, string | number | undefined> };

/** A collector that takes OTLP as JSON and keeps what it is told. */
async function collector(answer: 'takes' | 'hangs' = 'takes') {
  const spans: Span[] = [];
  const services = new Set<unknown>();
  const server = createServer(async (request, response) => {
    if (answer === 'hangs') return;
    let text = '';
    for await (const piece of request) text += piece;
    const { resourceSpans } = JSON.parse(text);
    for (const { resource, scopeSpans } of resourceSpans) {
      services.add(valuesOf(resource.attributes)['service.name']);
      for (const one of scopeSpans.flatMap(({ spans }: { spans: Wire[] }) => spans)) {
        spans.push({ ...one, attributes: valuesOf(one.attributes) });
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { spans, services, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function valuesOf(attributes: readonly Attribute[]) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

async function served(
  url: string,
  more: Record<string, string> = {},
): Promise<{ stage: JobStage; server: ServerProcess; post(where: string, body: object): Promise<void> }> {
  const stage = new JobStage();
  const server = new ServerProcess(stage.home);
  const own = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SERVICE_NAME: 'relay', OTEL_BSP_SCHEDULE_DELAY: '100' };
  server.extra = { ...own, ...more };
  onTestFinished(() => server.stop());
  await server.start();
  const post = async (where: string, body: object) => {
    const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
    const said = await fetch(`${server.url}/api/v1${where}`, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(said.status, await said.text()).toBeLessThan(300);
  };
  return { stage, server, post };
}

async function until(stage: JobStage, status: string): Promise<void> {
  await vi.waitUntil(async () => (await stage.json('job', 'show', 'j')).printed.status === status, WAIT);
}

const usage = { input_tokens: 700, output_tokens: 50, cost_usd: 0.25, model: 'claude-sonnet-4-5' };
const ORDER = { id: 'j', prompt: 'Do it', agent: 'a', activate: true, project: 'shop' };

test('a run, its handoffs and its calls of agents are spans of one trace, also over a restart of the server', {
  timeout: LONG_MS,
}, async () => {
  const { spans, services, url } = await collector();
  const { stage, server, post } = await served(url);
  await stage.scripted('a', [
    { when: { role: 'Worker' }, answer: ANSWERS.stuck, times: 1 },
    { when: { role: 'Worker' }, answer: { ...ANSWERS.completed, x_usage: usage } },
    { when: { role: 'Supervisor' }, answer: ANSWERS.completed },
  ]);
  await post('/jobs', { ...ORDER, supervisor: 'a' });
  await until(stage, 'INTERVENTION_REQUIRED');
  await vi.waitUntil(() => spans.length === 2, WAIT);
  await server.kill();
  await server.start();
  await post('/jobs/j/resubmit', { guidance: 'Like this.' });
  await until(stage, 'SUCCESS');
  await vi.waitUntil(() => spans.length === 7, WAIT);
  expect([...services]).toEqual(['relay']);
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(7);
  const root = spans.find(({ name }) => name === 'job');
  expect([root?.parentSpanId || null, root?.attributes['baton.status'], root?.attributes['baton.cost_usd']]).toEqual([
    ...[null, 'SUCCESS', 0.25],
  ]);
  const handoffs = spans.filter(({ name }) => name.startsWith('handoff'));
  expect(handoffs.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
    ['handoff implementation', root?.spanId],
    ['handoff implementation', root?.spanId],
    ['handoff supervisor-review', root?.spanId],
  ]);
  const calls = spans.filter(({ name }) => name === 'invoke_agent a');
  expect(calls.map(({ parentSpanId }) => parentSpanId)).toEqual(handoffs.map(({ spanId }) => spanId));
  expect(calls[1]).toMatchObject({
    kind: 3,
    attributes: {
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'a', 'gen_ai.provider.name': 'anthropic' },
      ...{ 'gen_ai.request.model': 'claude-sonnet-4-5', 'gen_ai.usage.input_tokens': 700 },
      ...{
        'gen_ai.usage.output_tokens': 50,
        'baton.run.id': 'j',
        'baton.project': 'shop',
        'baton.action': 'COMPLETED',
      },
    },
  });
  const startedMs = (span: Span | undefined) => Number(span?.startTimeUnixNano) / 1e6;
  for (const call of calls) expect(startedMs(call)).toBeGreaterThanOrEqual(startedMs(root));
  expect(JSON.stringify(spans)).not.toContain('Do it');
});

test.each(['hangs', 'is not there'] as const)('a collector that %s hurts nobody', { timeout: LONG_MS }, async (how) => {
  const url = how === 'hangs' ? (await collector('hangs')).url : 'http://127.0.0.1:9';
  // Nobody waits for it any more, but it is tried for so long.
  const { stage, server, post } = await served(url, { OTEL_EXPORTER_OTLP_TIMEOUT: '1000' });
  await stage.scripted('a', [{ when: {}, answer: ANSWERS.completed }]);
  await post('/jobs', { ...ORDER, supervisor: 'none' });
  await until(stage, 'SUCCESS');
  await server.stop();
});

test.each([
  [{}, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x' }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x/v1/traces' }, true],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://x', OTEL_TRACES_EXPORTER: 'none' }, false],
])('%j wants spans: %s', (env, wants) => {
  expect(wantsSpans(env)).toBe(wants);
});
