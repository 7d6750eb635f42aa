import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { EventStore } from '../../engine/ports.js';
import { SpanFollower } from './span-follower.js';
import type { EndedSpan } from './spans.js';
import type { Environment, Telemetry } from './telemetry.js';

/** What is not taken by then is lost: nobody waits longer for a collector when a server ends. */
const CLOSE_MS_MAX = 2_000;
const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;

/** Hands spans to a collector, by its own packages and its own variables. Its queue is bounded, and drops what is too much. */
export function exportSpans(
  env: Environment,
  { store, version }: { store: Pick<EventStore, 'events'>; version: string },
): Telemetry {
  const next = { traceId: '', spanId: '' };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': env.OTEL_SERVICE_NAME || 'baton', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    // Ids follow from the run, so that a server that is started again goes on with the same trace.
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
  });
  const tracer = provider.getTracer('baton', version);
  const follower = new SpanFollower(store, (span) => {
    Object.assign(next, { traceId: span.traceId, spanId: span.spanId });
    const { name, kind, startMs, endMs, error, attributes } = span;
    const begun = tracer.startSpan(name, { kind: KINDS[kind], startTime: startMs, attributes }, parentOf(span));
    if (error !== null) {
      begun.setAttribute('error.type', error);
      begun.setStatus({ code: SpanStatusCode.ERROR, message: error });
    }
    begun.end(endMs);
  });
  return {
    see: (row) => follower.see(row),
    async close() {
      const given = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS_MAX).unref());
      const told = follower.idle().then(() => provider.shutdown());
      await Promise.race([told.catch(() => {}), given]);
    },
  };
}

function parentOf({ traceId, parentId }: EndedSpan): Context {
  if (parentId === null) return ROOT_CONTEXT;
  const parent = { traceId, spanId: parentId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}
