import type { Verified } from '../../contracts/api/audit-shapes.js';
import { BatonError } from '../../contracts/shared/errors.js';
import { signHead } from '../../engine/audit/signed-head.js';
import { type Route, route } from '../route.js';
import type { Standing } from '../standing/standing.js';

export const auditRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/audit/verify', verb: 'look', summary: 'Check every hash of the log.' },
    async answer({ standing }): Promise<Verified> {
      const { runs, events, batches, position, hash } = await intact(standing);
      return { ok: true, runs, events, batches, position, hash };
    },
  }),
  route({
    ...{
      method: 'GET',
      path: '/api/v1/audit/notable',
      verb: 'look',
      summary: 'Who decided what, and what broke the contract.',
    },
    async answer({ standing }) {
      await standing.caughtUp();
      return standing.notable.list();
    },
  }),
  route({
    ...{ method: 'GET', path: '/api/v1/audit/head', verb: 'look', summary: 'The signed end of the log, to keep.' },
    answer: async ({ baton, standing }) => signHead(await intact(standing), baton.clock, baton.signer),
  }),
];

async function intact({ chain }: Standing) {
  const verified = await chain.check();
  const [first] = verified.findings;
  if (!first) return verified;
  throw new BatonError('AUDIT_BROKEN', first.says, { ...first });
}
