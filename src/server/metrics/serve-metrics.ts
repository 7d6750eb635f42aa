import type { FastifyInstance } from 'fastify';
import type { Metrics } from './metrics.js';

export function serveMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async ({ method, routeOptions }, { statusCode }) => {
    metrics.answered(method, routeOptions.url ?? 'none', statusCode);
  });
  app.get('/metrics', { config: { verb: 'look' } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}
