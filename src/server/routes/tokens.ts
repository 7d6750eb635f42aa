import { tokenOrder } from '../../contracts/api/token-order.js';
import type { NewToken, Token } from '../../contracts/api/token-shapes.js';
import type { TokenOrderBody } from '../../contracts/generated/types/token-order.js';
import type { KeptToken } from '../../core/access/token.js';
import { tokenIn } from '../../engine/access/token-service.js';
import { type Asked, type Route, route, withBody } from '../route.js';

export const tokenRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/tokens', verb: 'token.change', summary: 'Who has a token, and for what.' },
    answer: async ({ baton }) => ({ items: (await baton.tokens.list()).map(shown), next: null }),
  }),
  withBody({
    ...{ method: 'POST', path: '/api/v1/tokens', verb: 'token.change', summary: 'Make a token; it is told once.' },
    ...{ body: tokenOrder, status: 201 },
    async answer({ baton, body, by }: Asked<TokenOrderBody>): Promise<NewToken> {
      return { token: await baton.tokens.create(tokenIn(body), by.actor, by.key), ...body };
    },
  }),
  route({
    ...{ method: 'DELETE', path: '/api/v1/tokens/:name', verb: 'token.change', summary: 'Revoke a token.' },
    async answer({ baton, params: { name = '' }, by }) {
      await baton.tokens.revoke(name, by.actor, by.key);
      return { name };
    },
  }),
];

function shown({ name, role, agent, madeAt, expiresAt }: KeptToken): Token {
  return { name, role, agent, created_at: madeAt, expires_at: expiresAt ?? null };
}
