import type { EventRow, EventStore, Ports } from '../../engine/ports.js';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Telemetry = { see(row: EventRow): void; close(): Promise<void> };

const NOTHING: Telemetry = { see: () => {}, close: async () => {} };

/** Whether the standard variables name somebody who wants spans. */
export function wantsSpans(env: Environment): boolean {
  const off = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  return !off && Boolean(env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT);
}

/** Nothing is loaded where nobody wants spans. */
export async function openTelemetry(
  env: Environment,
  around: { store: Pick<EventStore, 'events'>; version: string; log: Ports['log'] },
): Promise<Telemetry> {
  if (!wantsSpans(env)) return NOTHING;
  try {
    const { exportSpans } = await import('./export-spans.js');
    return exportSpans(env, around);
  } catch (problem) {
    around.log('warn', 'spans are not exported', { problem: String(problem) });
    return NOTHING;
  }
}
