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
  placeIn: async (folder, path) => (path === 'gone' ? undefined : `${folder}/${path.replace(/\/$/, '')}`),
  holds: async () => true,
  repositoryOf: async () => undefined,
  modelOf: async () => ({ model: null }),
};
const CALLER = { actor: 'kim', role: 'admin', isLocal: true } as never;

async function ordered(op: Partial<ConfigureOp>, sources: Partial<OrderSources> = {}) {
  const asked: ConfigureOp = { type: 'configure_session', cwd: '/srv/parcel', ...op };
  return (await sessionOrder(asked, CALLER, { ...SOURCES, ...sources })).order;
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
      message: expect.stringMatching(/^\/home cannot be a writable root: it holds your home\. Name a folder/),
      details: { path: '/home' },
    });
  });
});

const NO_SANDBOX: Partial<OrderSources> = { holds: async () => false };

describe('security', () => {
  const OPEN = { mode: 'workspace-write', network_access: true, writable_roots: ['/srv/cache'] } as const;
  const narrowed = async (security: NonNullable<ConfigureOp['security']>, sources: Partial<OrderSources> = {}) =>
    (await ordered({ sandbox_policy: { ...OPEN, writable_roots: [...OPEN.writable_roots] }, security }, sources))
      .sandbox;

  test('narrows what may be changed to its paths, and what may be reached to its hosts', async () => {
    expect(await narrowed({ paths: ['src/', 'notes.md'], network: ['registry.example.com:443'] })).toEqual({
      ...{ mode: 'workspace-write', writableRoots: [], networkAccess: true },
      ...{ paths: ['/srv/parcel/src', '/srv/parcel/notes.md'], hosts: ['registry.example.com:443'] },
    });
    expect(await narrowed({ sandbox: 'read-only' })).toMatchObject({ mode: 'read-only' });
    expect(await narrowed({ tools: [] })).not.toHaveProperty('paths');
  });

  test('that is only a level is a label, and narrows nothing', async () => {
    const plain = await narrowed({});
    for (const security of ['Restricted', { level: 'Restricted' }] as const)
      expect(await narrowed(security)).toEqual(plain);
  });

  const CANNOT: [string, NonNullable<ConfigureOp['security']>, Partial<OrderSources>][] = [
    ['/op/security/paths', { paths: ['src'] }, NO_SANDBOX],
    ['/op/security/network', { network: [] }, NO_SANDBOX],
    ['/op/security/network', { network: ['db.example.com:5432'] }, {}],
  ];
  test.each(CANNOT)('that cannot be kept to is refused by its name: %s of %j', async (path, security, sources) => {
    const refused = narrowed(security, sources);
    await expect(refused).rejects.toMatchObject({ code: 'NOT_SUPPORTED', details: { path } });
  });

  test('is refused where commands run without a sandbox', async () => {
    for (const security of [{ paths: ['src'] }, { network: ['example.com'] }]) {
      const asked = ordered({ sandbox_policy: { mode: 'danger-full-access' }, security });
      await expect(asked).rejects.toMatchObject({ code: 'NOT_SUPPORTED' });
    }
  });

  test('names paths of the folder that are there', async () => {
    for (const path of ['../other', '/etc', '.git/hooks', '']) {
      await expect(narrowed({ paths: [path] })).rejects.toMatchObject({ code: 'PATH_REFUSED', details: { path } });
    }
    await expect(narrowed({ paths: ['gone'] })).rejects.toMatchObject({
      code: 'INPUT_UNREADABLE',
      details: { file: 'gone' },
    });
  });
});
