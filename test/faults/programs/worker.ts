/**
 * A worker as `serve` and `worker` are: claims whatever owes something, drives it with shell agents, hands back what
 * it owns when it is told to stop. Says `ready`, `claim RUN EPOCH POSITION FROM` and `fenced RUN EPOCH`.
 */
import type { Claim } from '../../../src/engine/ports.js';
import { createCommands } from '../../../src/sandbox/commands.js';
import { forgetDeadRows } from '../../../src/sandbox/forget-dead-rows.js';
import type { Gate } from '../../../src/sandbox/process-rows.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { WorkerOrder } from './orders.js';
import { overriding } from './planted-bugs.js';
import { engineOf, openStore, portsOf, readOrder, say } from './program.js';
import { PATH, shellAgents } from './shell-agents.js';

const STOP_GRACE_MS = 200;

const order = readOrder<WorkerOrder>();
const { worker, token, planted } = order;
const store = watched(await openStore(order, 'thread'));
const gate: Gate = { table: store.processes, worker, scope: token, oneMachine: true };
const agents = shellAgents(gate, token, { leavesAgents: planted === 'leaves-agents' });
const commands = createCommands(gate, { env: () => ({ PATH }), limits: { graceMs: 100, outputBytesMax: 10_000 } });
const engine = engineOf(portsOf(order, store, { agents, commands }), { worker, claimsAny: true });

process.once('SIGTERM', async () => {
  await engine.stop(STOP_GRACE_MS);
  await store.close();
  say('stopped');
  process.exit(0);
});
await engine.start();
await forgetDeadRows(gate);
say('ready');

/** The position is read after the claim is durable: what an earlier owner writes behind it is stale. */
function watched(real: SqliteStore): SqliteStore {
  return overriding(real, {
    async claim(...args) {
      const claims = await real.claim(...args);
      if (claims.length > 0) tellClaims(claims, await real.position());
      return claims;
    },
    async append(group) {
      const results = await real.append(group);
      for (const [index, result] of results.entries()) {
        if (result.type === 'fenced') say('fenced', group[index]?.run ?? '', group[index]?.fence ?? null);
      }
      return results;
    },
  });
}

function tellClaims(claims: readonly Claim[], position: number): void {
  for (const { run, epoch, previousOwner } of claims) say('claim', run, epoch, position, previousOwner ?? '-');
}
