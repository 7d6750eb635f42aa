import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { System } from '../../contracts/api/system-shapes.js';
import type { Baton } from '../../engine/opened-baton.js';
import { type Asked, type Route, route } from '../route.js';

const STORE_FILES = ['baton.db', 'baton.db-wal'];
const GROWTH_DAYS = 7;

export const systemRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/system', verb: 'look', summary: 'What this server stands on.' },
    async answer({ baton, standing }): Promise<System> {
      const { store, clock } = baton;
      const held = await baton.inbox.system();
      return {
        now: new Date(clock.nowMs()).toISOString(),
        position: await store.position(),
        store: await storeOf(baton, standing),
        chain: standing.chain.state,
        workers: await standing.workers.list(),
        today: { ...(await spentToday(baton)), events: standing.days.eventsIn(1) },
        sandbox: await baton.guard(),
        four_eyes: await baton.fourEyes(),
        locks: [...(held?.locks ?? [])].map(([holder, { scope, resources }]) => ({ holder, scope, resources })),
        logins: loginsOf(held),
        adapters: await baton.readyAgents(),
        notifiers: (await baton.notifiers.list()).map(({ name, kind }) => ({ name, kind })),
        versions: { baton: standing.version, node: process.version, os: `${process.platform} ${process.arch}` },
      };
    },
  }),
];

/** Growth is told by events: what one takes on the disk, times how many there were in the last days. */
async function storeOf({ store, folder }: Baton, { days }: Asked['standing']): Promise<System['store']> {
  const sizes = await Promise.all(STORE_FILES.map((name) => sizeOf(path.join(folder, name))));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const position = await store.position();
  const perEvent = position === 0 ? 0 : bytes / position;
  return {
    ...{ kind: 'sqlite', bytes },
    growth: {
      days: GROWTH_DAYS,
      events: days.eventsIn(GROWTH_DAYS),
      bytes: Math.round(perEvent * days.eventsIn(GROWTH_DAYS)),
    },
  };
}

async function spentToday({ spent, clock }: Baton) {
  const today = new Date(clock.nowMs()).toISOString().slice(0, 10);
  const row = (await spent('day', 1)).find(({ key }) => key === today);
  return { cost_usd: row?.cost_usd ?? 0, wasted_usd: row?.wasted_usd ?? 0 };
}

function loginsOf(held: Awaited<ReturnType<Baton['inbox']['system']>>): System['logins'] {
  return [...(held?.logins ?? [])].map(([login, { loss, untilMs }]) => ({
    login,
    state: loss === null ? 'limited' : 'lost',
    until: new Date(untilMs).toISOString(),
  }));
}

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
