import { describe, expect, test } from 'vitest';
import { type ConfigureOp, type OrderSources, sessionOrder } from './session-orders.js';

const FOLDERS: Readonly<Record<string, string>> = {
  '/srv/parcel': '/srv/parcel',
  '/srv/by-link': '/srv/cache',
  '/srv/cache': '/srv/cache',
  '/home': '/home',
};
const SOURCES: OrderSources = {
  ports: {} as never,
  defaults: async () => ({
    ...{ model: 'large', history: 'full', contextWindow: 1, approval: 'on-request', sandboxMode: 'workspace-write' },
  }),
  folderAt: async (path) => FOLDERS[path],
  whyNotWritable: async (path) => (path === '/home' ? 'holds your home' : undefined),
  repositoryOf: async () => undefined,
  modelOf: async () => ({ model: null }),
};
const CALLER = { actor: 'kim', role: 'admin', isLocal: true } as never;

async function ordered(op: Partial<ConfigureOp>) {
  return (await sessionOrder({ type: 'configure_session', cwd: '/srv/parcel', ...op }, CALLER, SOURCES)).order;
}

describe('writable roots', () => {
  const roots = (...writable_roots: string[]) =>
    ordered({ sandbox_policy: { mode: 'workspace-write', writable_roots } });

  test('are kept as they are when the session is set up, without links', async () => {
    expect((await roots('/srv/by-link')).sandbox.writableRoots).toEqual(['/srv/cache']);
  });

  test('that are not there, or are no folder, are refused by name', async () => {
    await expect(roots('/srv/cache', '/srv/later')).rejects.toMatchObject({
      code: 'INPUT_UNREADABLE',
      details: { file: '/srv/later' },
    });
  });

  test('that hold what runs later are refused by name', async () => {
    await expect(roots('/home')).rejects.toMatchObject({
      code: 'PATH_REFUSED',
      message: '/home cannot be a writable root: it holds your home',
      details: { path: '/home' },
    });
  });
});
