import type { InboxService } from '../inbox/inbox-service.js';
import type { InboxRow } from '../ports.js';

/** An item of the inbox as scripts get it. */
export async function itemObject(inbox: Pick<InboxService, 'details'>, row: InboxRow) {
  const { item, run, kind, title, question, askedAt, expiresAtMs, answeredAt } = row;
  return {
    item,
    run_id: run,
    kind,
    status: answeredAt === null ? 'open' : 'closed',
    title,
    question,
    created_at: askedAt,
    expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    details: await inbox.details(row),
  };
}
