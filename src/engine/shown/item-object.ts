import type { InboxItem } from '../../contracts/api/inbox-shapes.js';
import type { InboxService } from '../inbox/inbox-service.js';
import type { InboxRow } from '../ports.js';

/** What an item says wherever it is asked for; who may answer it, only a server tells. */
type AskedItem = Omit<InboxItem, 'made_by' | 'barred' | 'answered'>;

/** An item of the inbox as scripts get it. */
export async function itemObject(inbox: Pick<InboxService, 'details'>, row: InboxRow): Promise<AskedItem> {
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
