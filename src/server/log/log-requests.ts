import type { FastifyInstance } from 'fastify';
import type { ServerLog } from './server-log.js';

/** A line for every answer, by the pattern of its address: what stands behind the question mark is nobody's business. */
export function logRequests(app: FastifyInstance, log: ServerLog): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    log.request({
      req_id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      who: request.who?.name ?? null,
    });
  });
}
