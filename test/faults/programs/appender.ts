/**
 * Gives so many commands and says `ack KEY RUN` after each; stops at the first failure with `error CODE MESSAGE`.
 * A failure without a code of Baton's is said as `untyped`.
 */
import { once } from 'node:events';
import { BatonError } from '../../../src/contracts/shared/errors.js';
import { orThrow } from '../../../src/engine/dispatch.js';
import { sealBody } from '../../../src/engine/seal.js';
import type { AppenderOrder } from './orders.js';
import { engineOf, openStore, portsOf, readOrder, say } from './program.js';

const order = readOrder<AppenderOrder>();
let number = 0;
try {
  const store = await openStore(order, order.writer);
  const ports = portsOf(order, store);
  const engine = engineOf(ports, { worker: order.name, claimsAny: false });
  say('ready');
  if (order.waits) await once(process.stdin, 'data');
  process.stdin.unref?.();
  await Promise.all(
    Array.from({ length: order.lanes }, async () => {
      while (number < order.commands) {
        number += 1;
        const key = `${order.name}-${order.token}-${number}`;
        const request = requestOf(number);
        const { ref, body } = sealBody(ports, request);
        const command = {
          type: 'Submit',
          atMs: ports.clock.nowMs(),
          title: key,
          agent: 'alpha',
          request: ref,
          steps: 1,
          retriesMax: 0,
          stepTimeoutMs: 60_000,
          limits: {},
          rank: 0,
          after: null,
          check: null,
          review: false,
          report: null,
        };
        const origin = { actor: 'appender', key: { scope: order.name, key, payload: 'same' }, bodies: [body] };
        orThrow(await engine.create(`run-${key}`, 'errand', command, origin));
        say('ack', key, `run-${key}`);
      }
    }),
  );
  await store.close();
  say('done');
  process.exit(0);
} catch (problem) {
  if (problem instanceof BatonError) say('error', problem.code, problem.message);
  else
    say(
      'untyped',
      problem instanceof Error ? ((problem.stack ?? problem.message).split('\n')[0] ?? '') : String(problem),
    );
  process.exit(1);
}

function requestOf(count: number): string {
  const bytes = order.requestBytes[count % order.requestBytes.length];
  return `request ${order.name} ${count} `.padEnd(bytes ?? 0, `${count} `);
}
