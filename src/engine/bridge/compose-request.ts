import type { RequestFacts } from '../../core/bridge/bridge-effects.js';
import type { EventStore } from '../ports.js';

/** The request as it was read; a further try says so and has its own time. */
export async function bridgeRequest(store: Pick<EventStore, 'body'>, facts: RequestFacts): Promise<string> {
  const { document, retry_count, timeout_seconds } = facts;
  const bytes = await store.body(document.sha256);
  if (!bytes) throw new Error(`the request ${document.sha256} is not in the store`);
  return JSON.stringify({ ...JSON.parse(new TextDecoder().decode(bytes)), retry_count, timeout_seconds });
}
