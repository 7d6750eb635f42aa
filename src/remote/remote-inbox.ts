import type { BatonClient } from '../client/create-client.js';
import type { Desk } from '../engine/desk.js';
import type { GivenAnswer } from '../engine/inbox/answer.js';
import type { InboxRow } from '../engine/ports.js';
import { inboxRow } from './rows.js';

/** What waits for people at a server. */
export function remoteInbox(client: BatonClient): Desk['inbox'] {
  return {
    open: async (after, limit) => (await client.inbox({ after, limit })).items.map(inboxRow),
    item: async (number) => inboxRow(await client.item(number)),
    details: async ({ item }) => ({ ...(await client.item(item)).details }),
    outcome: async ({ item }) => (await client.item(item)).answered,
    async answer({ item }: InboxRow, { decision, text, raise, always }: GivenAnswer) {
      const { said, job_id: job = null } = await client.answer(item, {
        ...(decision && { decision }),
        ...(text !== undefined && { text }),
        ...(raise !== undefined && { raise }),
        ...(always && { always: always.days ?? true }),
      });
      return { said, job };
    },
    async system() {
      const { logins, locks } = await client.system();
      return {
        locks: new Map(locks.map(({ holder, scope, resources }) => [holder, { scope, resources }])),
        logins: new Map(
          logins.map(({ login, state, until }) => [
            login,
            { loss: state === 'lost' ? 1 : null, untilMs: Date.parse(until) },
          ]),
        ),
      };
    },
  };
}
