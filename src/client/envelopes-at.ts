import type { EnvelopeBoard, EnvelopeCard } from '../contracts/api/envelope-shapes.js';
import type { Page } from '../contracts/api/page.js';
import type { Envelope } from '../contracts/generated/types/envelope.js';
import type { Wire } from './wire.js';

/** What is said beside an envelope, never in it. */
export type ProcessOptions = {
  agent?: string;
  pipeline?: string;
  /** A folder on the machine of the server that it is about. */
  repo?: string;
  /** Where tools look when no folder is named. */
  around?: string;
  project?: string;
};

type Asking = { key?: string; signal?: AbortSignal };

const at = (run: string, part = ''): string => `/api/v1/envelopes/${encodeURIComponent(run)}${part}`;

function processAt(mode: string | undefined, options: ProcessOptions): string {
  const said = Object.entries({ mode, ...options }).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return said.length === 0 ? '/api/v1/process' : `/api/v1/process?${new URLSearchParams(said)}`;
}

/** Envelopes, and what can be done with them. */
export function envelopesAt(wire: Wire) {
  return {
    /** Until it ends, waits for a person, or a bound is reached. */
    process: (envelope: unknown, options: ProcessOptions = {}, asking: Asking = {}) =>
      wire.post<Envelope>(processAt(undefined, options), envelope, asking),
    /** One stage. */
    step: (envelope: unknown, options: ProcessOptions = {}, asking: Asking = {}) =>
      wire.post<Envelope>(processAt('step', options), envelope, asking),
    /** It has begun when this resolves, not ended. */
    begin: (envelope: unknown, options: ProcessOptions = {}, asking: Asking = {}) =>
      wire.post<{ run_id: string }>(processAt('async', options), envelope, asking),
    /** `wait`: so many seconds until nobody works on it. */
    get: (run: string, { wait }: { wait?: number } = {}) => wire.get<Envelope>(at(run), { wait }),
    /** As it is, or as it was behind one of its events. */
    board: (run: string, event?: number) => wire.get<EnvelopeBoard>(at(run, '/board'), { at: event }),
    /** What lists show of them; up to a hundred. */
    cards: (ids: readonly string[]) => wire.get<Page<EnvelopeCard>>('/api/v1/envelopes', { ids: ids.join(',') }),
    pipelines: () => wire.get<Page<{ name: string }>>('/api/v1/pipelines'),
  };
}
