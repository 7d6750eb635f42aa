import { stat } from 'node:fs/promises';
import path from 'node:path';
import { type Route, route } from '../route.js';

const STORE_FILES = ['baton.db', 'baton.db-wal'];

export const systemRoutes: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/api/v1/system', verb: 'look', summary: 'What this server stands on.' },
    async answer({ baton }) {
      const { store, clock, folder } = baton;
      const sizes = await Promise.all(STORE_FILES.map((name) => sizeOf(path.join(folder, name))));
      const held = await baton.inbox.system();
      const logins = [...(held?.logins ?? [])].map(([login, { loss, untilMs }]) => ({
        login,
        state: loss === null ? 'limited' : 'lost',
        until: new Date(untilMs).toISOString(),
      }));
      return {
        now: new Date(clock.nowMs()).toISOString(),
        position: await store.position(),
        store: { kind: 'sqlite', bytes: sizes.reduce((sum, size) => sum + size, 0) },
        sandbox: await baton.guard(),
        four_eyes: await baton.fourEyes(),
        locks: [...(held?.locks ?? [])].map(([holder, { scope, resources }]) => ({ holder, scope, resources })),
        logins,
      };
    },
  }),
];

async function sizeOf(file: string): Promise<number> {
  return (await stat(file).catch(() => undefined))?.size ?? 0;
}
