import { BatonError } from '../../contracts/shared/errors.js';
import { signHead } from '../../engine/audit/signed-head.js';
import { verifyJournal } from '../../engine/audit/verify-journal.js';
import type { Baton } from '../../engine/opened-baton.js';
import { type Route, route } from '../route.js';

export const auditRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/audit/verify', verb: 'look', summary: 'Check every hash of the log.' },
    async answer({ baton }) {
      const { runs, events, batches, position, hash } = await intact(baton);
      return { ok: true, runs, events, batches, position, hash };
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/audit/head', verb: 'look', summary: 'The signed end of the log, to keep.' },
    answer: async ({ baton }) => signHead(await intact(baton), baton.clock, baton.signer),
  }),
];

async function intact({ store, hasher }: Baton) {
  const verified = await verifyJournal(store, hasher);
  const [first] = verified.findings;
  if (!first) return verified;
  throw new BatonError('AUDIT_BROKEN', first.says, { ...first });
}
