import { createBridgeResponse } from '../../contracts/bridge/create-bridge-response.js';
import type { BridgeReply } from '../../core/bridge/bridge-messages.js';
import type { EventStore } from '../ports.js';

const MS = 1_000;

/** The response file of a reply. The same reply gives the same bytes, so writing it again changes nothing. */
export async function responseDocument(store: Pick<EventStore, 'body'>, reply: BridgeReply): Promise<string> {
  const { request_id, status, answer, error, atMs, durationMs, model, tokens, confidence } = reply;
  const bytes = answer && (await store.body(answer.sha256));
  if (answer && !bytes) throw new Error(`the answer ${answer.sha256} is not in the store`);
  const response = createBridgeResponse({
    ...{ request_id, status, created_at: new Date(atMs).toISOString() },
    response: bytes ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) : null,
    error_message: error?.message ?? null,
    error_type: error?.type ?? null,
    duration_seconds: durationMs === null ? null : durationMs / MS,
    metadata: { model, tokens_used: tokens, confidence },
  });
  return `${JSON.stringify(response, null, 2)}\n`;
}
