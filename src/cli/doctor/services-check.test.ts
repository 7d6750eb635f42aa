import { describe, expect, test } from 'vitest';
import { checkBrowser } from './browser-check.js';
import { checkConfig } from './config-check.js';
import { machine } from './fake-probe.js';
import { checkPostgres } from './postgres-check.js';
import { checkServer } from './server-check.js';

describe('the server', () => {
  const serving = (text: string, alive = true) =>
    machine({ files: { '/home/anna/.baton/server.json': text }, isAlive: () => alive });

  test('is not needed', async () => {
    expect(await checkServer(machine())).toEqual([
      { topic: 'server', status: 'ok', text: 'none running; commands work without one' },
    ]);
  });

  test('is shown when its process lives and listens', async () => {
    expect(await checkServer(serving('{"pid":7,"url":"http://127.0.0.1:4100/?token=s3cret"}'))).toEqual([
      { topic: 'server', status: 'ok', text: 'running at http://127.0.0.1:4100 (process 7)' },
    ]);
  });

  test('that died is a warning with the file to remove', async () => {
    expect(await checkServer(serving('{"pid":7,"url":"http://127.0.0.1:1"}', false))).toMatchObject([
      { status: 'warning', fix: 'rm ~/.baton/server.json' },
    ]);
  });

  test('whose number now belongs to a process that does not listen is a warning', async () => {
    const env = serving('{"pid":7,"url":"http://127.0.0.1:1"}');
    env.probe.connect = async () => 'ECONNREFUSED';
    expect(await checkServer(env)).toMatchObject([{ status: 'warning' }]);
  });

  test.each(['', '{', '[]', '{"pid":0,"url":"http://a"}', '{"pid":-1,"url":"http://a"}', '{"pid":1,"url":"file:///"}'])(
    'with a damaged server.json (%j) is a warning and asks about no process',
    async (text) => {
      const env = serving(text);
      env.probe.isAlive = () => {
        throw new Error('asked');
      };
      expect(await checkServer(env)).toMatchObject([{ status: 'warning' }]);
    },
  );
});

describe('PostgreSQL', () => {
  const store = (address: string, why?: string) => {
    const asked: unknown[] = [];
    const env = machine({
      env: { BATON_STORE: address },
      connect: async (target, timeoutMs) => {
        asked.push({ ...target, timeoutMs });
        return why;
      },
    });
    return { env, asked };
  };

  test('is optional', async () => {
    expect(await checkPostgres(machine())).toMatchObject([{ status: 'absent' }]);
  });

  test.each([
    ['postgres://anna:s3cret@db.example:6543/baton', { host: 'db.example', port: 6543 }],
    ['postgresql://db.example/baton', { host: 'db.example', port: 5432 }],
    ['postgres:///baton?host=/run/postgresql', { path: '/run/postgresql/.s.PGSQL.5432' }],
    ['postgres://[::1]/baton', { host: '::1', port: 5432 }],
  ])('at %s is tried for two seconds and its password is not shown', async (address, target) => {
    const { env, asked } = store(address);
    const findings = await checkPostgres(env);
    expect(asked).toEqual([{ ...target, timeoutMs: 2000 }]);
    expect(findings).toMatchObject([{ status: 'ok' }]);
    expect(JSON.stringify(findings)).not.toContain('s3cret');
  });

  test('that does not answer is a problem', async () => {
    const { env } = store('postgres://u:s3cret@db.example/baton', 'ECONNREFUSED');
    expect(await checkPostgres(env)).toMatchObject([
      { status: 'problem', text: 'db.example:5432 cannot be reached (ECONNREFUSED)' },
    ]);
  });

  test.each(['mysql://u:s3cret@h/db', 'nonsense s3cret', 'postgres://a:s3cret@h:99999/x'])(
    'with the address %s is a problem and the address is not shown',
    async (address) => {
      const findings = await checkPostgres(store(address).env);
      expect(findings).toMatchObject([{ status: 'problem' }]);
      expect(JSON.stringify(findings)).not.toContain('s3cret');
    },
  );
});

test('a browser is optional', async () => {
  expect(await checkBrowser(machine())).toMatchObject([{ status: 'absent' }]);
  const programs = { 'google-chrome': '/bin/google-chrome' };
  expect(await checkBrowser(machine({ programs }))).toMatchObject([{ status: 'ok', text: '/bin/google-chrome' }]);
});

test.each([
  ['config.json', '{"agent":"codex"}'],
  ['prices.json', '{"models":{}}'],
])('a damaged %s is a problem that names the file; a good or missing one says nothing', async (name, good) => {
  const file = `/home/anna/.baton/${name}`;
  expect(await checkConfig(machine({ files: { [file]: '{"agent":' } }))).toMatchObject([
    { topic: 'config', status: 'problem', text: expect.stringContaining(file) },
  ]);
  expect(await checkConfig(machine({ files: { [file]: good } }))).toEqual([]);
  expect(await checkConfig(machine())).toEqual([]);
});
