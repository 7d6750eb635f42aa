import type { Page } from '../contracts/api/page.js';
import type { SessionBoard, SessionCard } from '../contracts/api/session-shapes.js';
import type { SessionEvent } from '../contracts/generated/types/event.js';
import type { ConfigureSession, Submission } from '../contracts/generated/types/submission.js';
import { readStream } from './read-stream.js';
import type { Wire } from './wire.js';

/** What a session is opened with. */
export type SessionOrder = Omit<ConfigureSession, 'type'>;
type Keyed = { key?: string };
export type SessionFilter = { status?: string; project?: string; q?: string; after?: string; limit?: number };

const at = (id: string, part = ''): string => `/api/v1/sessions/${encodeURIComponent(id)}${part}`;

/** Sessions, and what can be done with them. */
export function sessionsAt(wire: Wire) {
  return {
    list: (filter: SessionFilter = {}) => wire.get<Page<SessionCard>>('/api/v1/sessions', filter),
    /** Those that are named; up to a hundred. */
    cards: (ids: readonly string[]) => wire.get<Page<SessionCard>>('/api/v1/sessions', { ids: ids.join(',') }),
    get: (id: string) => wire.get<SessionBoard>(at(id)),
    open: (order: SessionOrder, keyed: Keyed = {}) =>
      wire.post<{ run_id: string; session_id: string }>('/api/v1/sessions', order, keyed),
    /** Resolves when it is kept; what comes back is for whoever sent it alone. */
    submit: (id: string, submission: Submission) =>
      wire.post<{ accepted: true; events: readonly SessionEvent[] }>(at(id, '/submissions'), submission),
    eventPage: (id: string, page: { after?: number; limit?: number } = {}) =>
      wire.get<Page<SessionEvent>>(at(id, '/events'), page),
    /**
     * What clients are told, behind a seq and then as it happens, pieces of text between. It ends when the wire does:
     * whoever goes on asks again behind the last seq it has seen.
     */
    async *events(id: string, { after = 0, signal }: { after?: number; signal: AbortSignal }) {
      const response = await wire.open(at(id, '/events'), { after }, { accept: 'text/event-stream' }, signal);
      if (!response.body) return;
      for await (const message of readStream(response.body as unknown as AsyncIterable<Uint8Array>)) {
        if (message.type === 'event') yield JSON.parse(message.data) as SessionEvent;
      }
    },
  };
}
