import type { RunEvent } from '../contracts/api/run-shapes.js';
import { BatonError } from '../contracts/shared/errors.js';
import { readStream } from './read-stream.js';
import type { Wire } from './wire.js';

/** How the wire is. `behind` is unknown for the events of one run. */
export type StreamState =
  | { name: 'live' }
  | { name: 'catching up'; behind: number | null }
  | { name: 'stale'; sinceMs: number }
  | { name: 'refused'; error: BatonError };

export type StreamOptions = {
  /** Events behind this position; 0 is from the beginning. */
  after?: number;
  run?: string;
  signal?: AbortSignal;
  onState?(state: StreamState): void;
  /** So long without any byte is a dead wire; the server gives a sign of life every three seconds. */
  silentMsMax?: number;
};

const SILENT_MS_MAX = 10_000;
const WAIT_MS = 250;
const WAIT_MS_MAX = 5_000;

/**
 * S1: every event behind `after` once and in order, however often the wire breaks: it goes on behind the last one given.
 * S2: it ends only by the signal, or by a refusal, which is thrown: whoever may not look now may not look again.
 */
export async function* streamEvents(wire: Wire, options: StreamOptions): AsyncGenerator<RunEvent> {
  const { run, signal: stop = new AbortController().signal, onState = () => {} } = options;
  const watch = new Watch(options.silentMsMax ?? SILENT_MS_MAX, onState);
  const path = run === undefined ? '/api/v1/events' : `/api/v1/runs/${encodeURIComponent(run)}/events`;
  let position = options.after ?? 0;
  let failures = 0;
  try {
    while (!stop.aborted) {
      const signal = AbortSignal.any([stop, watch.begin()]);
      try {
        const head = run === undefined ? await headOf(wire, signal) : null;
        const accept = { accept: 'text/event-stream' };
        const response = await wire.open(path, { after: position }, accept, signal);
        if (!response.body) throw new Error('no body');
        watch.moved(head, position);
        for await (const message of readStream(response.body as unknown as AsyncIterable<Uint8Array>)) {
          failures = 0;
          watch.alive();
          if (message.type === 'comment') continue;
          const event = JSON.parse(message.data) as RunEvent;
          if (event.position <= position) continue;
          position = event.position;
          watch.moved(head, position);
          yield event;
        }
      } catch (failure) {
        if (stop.aborted) return;
        if (isRefusal(failure)) {
          onState({ name: 'refused', error: failure });
          throw failure;
        }
      }
      failures += 1;
      await pause(Math.min(WAIT_MS_MAX, WAIT_MS * 2 ** Math.min(failures, 10)), stop);
    }
  } finally {
    watch.end();
  }
}

/** Counts silence over all connections, so that a server that only takes and drops them is stale too. */
class Watch {
  private readonly silentMsMax: number;
  private readonly onState: (state: StreamState) => void;
  private current = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private name: StreamState['name'] | undefined;
  private aliveMs = Date.now();

  constructor(silentMsMax: number, onState: (state: StreamState) => void) {
    this.silentMsMax = silentMsMax;
    this.onState = onState;
  }

  begin(): AbortSignal {
    this.current = new AbortController();
    this.wait();
    return this.current.signal;
  }

  alive(): void {
    this.aliveMs = Date.now();
    clearTimeout(this.timer);
    this.timer = undefined;
    this.wait();
  }

  moved(head: number | null, position: number): void {
    this.alive();
    if (head !== null && position < head) this.tell({ name: 'catching up', behind: head - position });
    else if (this.name !== 'live') this.tell({ name: 'live' });
  }

  end(): void {
    clearTimeout(this.timer);
    this.current.abort();
  }

  private wait(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      if (this.name !== 'stale') this.tell({ name: 'stale', sinceMs: this.aliveMs });
      this.current.abort();
    }, this.silentMsMax);
  }

  private tell(state: StreamState): void {
    this.name = state.name;
    this.onState(state);
  }
}

async function headOf(wire: Wire, signal: AbortSignal): Promise<number> {
  const { position } = await wire.get<{ position: number }>('/readyz', {}, signal);
  return position;
}

/** Everything that comes out otherwise when it is tried again is none. */
function isRefusal(failure: unknown): failure is BatonError {
  if (!(failure instanceof BatonError)) return false;
  return !['RATE_LIMITED', 'SERVER_UNREACHABLE', 'ENGINE_STOPPED', 'STORE_BUSY', 'INTERNAL'].includes(failure.code);
}

function pause(ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms * (0.75 + Math.random() / 2));
    stop.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
