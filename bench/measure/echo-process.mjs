// A bare Fastify that gives back what it gets: the baseline of every request. Says its address to whoever started it.
import Fastify from 'fastify';

const app = Fastify();
const RUN = { run_id: 'a', kind: 'job', status: 'DRAFT', title: 'Do it', metrics: { cost_usd: 0, tokens: 0 } };
app.get('/run', async () => RUN);
app.post('/echo', async (request) => request.body);
process.send(await app.listen({ host: '127.0.0.1', port: 0 }));
