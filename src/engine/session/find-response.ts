import type { ThreadNode } from '../../core/session/session-messages.js';
import type { LiveSession } from '../../core/session/session-state.js';
import type { Machines } from '../machines.js';
import { pause } from '../pause.js';
import type { Clock, EventStore } from '../ports.js';
import { readRun } from '../read-run.js';

const PAGE = 100;
/** So many sessions are looked through, the newest first. */
const SESSIONS_MAX = 2_000;
/** Each is folded from its rows: everybody else has a turn after so many. */
const AT_ONCE_MAX = 10;

/** Providers name their responses so. */
export const isResponseId = (id: string): boolean => id.startsWith('resp');

/** The thread up to a response of any session, the oldest first; undefined when nobody here has had that response. */
export async function findResponse(
  { store, clock }: { store: Pick<EventStore, 'runs' | 'load'>; clock: Clock },
  machines: Machines,
  responseId: string,
): Promise<readonly ThreadNode[] | undefined> {
  let after: string | undefined;
  for (let seen = 0; seen < SESSIONS_MAX; ) {
    const page = await store.runs({ kind: 'session', limit: PAGE, ...(after !== undefined && { after }) });
    for (const { run } of page.items) {
      seen += 1;
      if (seen % AT_ONCE_MAX === 0) await pause(clock, 0);
      const session = (await readRun(store, machines, run))?.state as LiveSession | undefined;
      const place = session?.byResponse.get(responseId);
      if (session && place !== undefined) return threadTo(session.nodes, place);
    }
    if (page.next === null || page.items.length === 0) return undefined;
    after = page.next;
  }
  return undefined;
}

/** With places of its own: what was beside it is left out. */
function threadTo(nodes: readonly ThreadNode[], place: number): readonly ThreadNode[] {
  const chain: ThreadNode[] = [];
  const seen = new Set<number>();
  for (let at: number | null = place; at !== null && !seen.has(at); at = nodes[at]?.parent ?? null) {
    const node = nodes[at];
    seen.add(at);
    if (node) chain.unshift(node);
  }
  return chain.map((node, index) => ({ ...node, parent: index === 0 ? null : index - 1 }));
}
