/**
 * Somebody who gives commands. Says `sent JSON` before a command leaves, `ack KEY RUN` only after it was accepted, and
 * `refused KEY CODE`. No answer means unknown: the same command goes out again with the same key, if need be by the
 * next client.
 */
import { sealBody } from '../../../src/engine/seal.js';
import { Seeded } from '../../simulation/seeded.js';
import { nextCommand } from './next-command.js';
import { OpenRuns } from './open-runs.js';
import type { ClientOrder, Sent } from './orders.js';
import { engineOf, openStore, pause, portsOf, readOrder, say } from './program.js';

const TRIES_MAX = 500;
const AGAIN_MS = 50;
const LOOK_MS = 50;
/** So many times slower while no new errand may begin. */
const FULL_PACE = 3;
/** Answered commands that are sent once more: the first answer must come back. */
const SENT_AGAIN = 0.1;

const order = readOrder<ClientOrder>();
const store = await openStore(order, 'main');
const ports = portsOf(order, store);
const chance = new Seeded(order.seed + order.from);
const runs = new OpenRuns(store);
const recent = [...order.recent];
let number = order.from;
let stopping = false;
process.once('SIGTERM', () => {
  stopping = true;
});

say('ready');
await Promise.all(order.repeat.map(deliver));
if (order.part === 'load') await Promise.all(Array.from({ length: order.lanes }, sendOn));
else await finish();
await store.close();
say('done');
process.exit(0);

async function sendOn(): Promise<void> {
  while (!stopping) {
    await pause(order.paceMs * chance.next() * 2);
    await runs.look();
    const mayBegin = runs.open.size < order.openMax;
    if (!mayBegin) await pause(order.paceMs * FULL_PACE);
    number += 1;
    // At its limit the load is moved on by answers to what is open, not by what was begun lately.
    const sent = nextCommand(chance, order.token, number, { earlier: mayBegin ? recent : [...runs.open], mayBegin });
    say('sent', JSON.stringify(sent));
    await deliver(sent);
    if (chance.chance(SENT_AGAIN)) await deliver(sent);
  }
}

/** Answers every question until nothing is open any more. */
async function finish(): Promise<void> {
  for (let round = 0; !stopping; round += 1) {
    await runs.look();
    if (runs.open.size === 0) return;
    for (const { run, kind, item } of await store.inbox({ open: true, limit: 100 })) {
      const atMs = ports.clock.nowMs();
      const command =
        kind === 'limit' ? ({ type: 'Raise', atMs, limits: {} } as const) : { type: 'Approve' as const, atMs };
      await deliver({ key: `finish-${order.token}-${item}-${round}`, run, command });
    }
    await pause(LOOK_MS);
  }
}

async function deliver(sent: Sent): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    try {
      return tell(sent, await deliverOnce(sent));
    } catch (problem) {
      say('unanswered', sent.key, String(problem));
      await pause(AGAIN_MS);
    }
  }
  say('problem', `${sent.key} was never answered`);
}

function deliverOnce({ key, run, request, command }: Sent) {
  const { ref, body } = sealBody(ports, request ?? '');
  const stamped = { ...command, atMs: ports.clock.nowMs(), ...(command.type === 'Submit' && { request: ref }) };
  // The run of a new errand is named anew each time: only the key tells that it is the same command.
  const payload = ports.hasher.sha256(JSON.stringify({ ...command, ...(command.type !== 'Submit' && { run }) }));
  const origin = {
    actor: 'client',
    key: { scope: 'client', key, payload },
    bodies: request === undefined ? [] : [body],
  };
  // One engine per command, as on the command line: nothing of the run is known from before.
  const engine = engineOf(ports, { worker: 'client', claimsAny: false });
  if (command.type !== 'Submit') return engine.send(run, stamped, origin).then((outcome) => ({ run, outcome }));
  const fresh = `${run}-${ports.ids.uuid().slice(0, 8)}`;
  return engine.create(fresh, 'errand', stamped, origin).then((outcome) => ({ run: fresh, outcome }));
}

function tell({ key, command }: Sent, { run, outcome }: Awaited<ReturnType<typeof deliverOnce>>): void {
  if (outcome.type === 'refused') {
    if (outcome.refusal.code === 'KEY_REUSED') say('problem', `${key} is said to be used for something else`);
    say('refused', key, outcome.refusal.code);
    return;
  }
  if (outcome.type === 'fenced') {
    say('problem', `${key} of a client was fenced`);
    return;
  }
  const acknowledged: string = outcome.type === 'repeated' ? JSON.parse(outcome.answer).run_id : run;
  if (command.type === 'Submit') recent.push(acknowledged);
  if (recent.length > order.openMax) recent.shift();
  say('ack', key, acknowledged);
}
