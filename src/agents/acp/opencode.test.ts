import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AcpSpec } from '../agent-spec.js';
import type { Preparing } from './known-acp.js';
import { prepareOpencode } from './opencode.js';

const SPEC: AcpSpec = {
  adapter: 'acp',
  argv: ['opencode', 'acp'],
  env: [],
  sandbox: 'workspace-write',
  model: undefined,
  login: undefined,
};
const WAYS: Preparing['ways'] = [
  { provider: 'openai', baseUrl: 'http://127.0.0.1:1/h/a/v1', token: 't1' },
  { provider: 'anthropic', baseUrl: 'http://127.0.0.1:1/h/b', token: 't2' },
];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'baton-opencode-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function prepared(changes: Partial<Preparing> = {}) {
  const at = { spec: SPEC, ways: WAYS, state: path.join(folder, 'state'), workspace: folder, asks: false };
  const result = prepareOpencode({ ...at, environment: { HOME: folder }, ...changes });
  if ('problem' in result) throw new Error(result.problem);
  return { ...result, config: JSON.parse(result.env.OPENCODE_CONFIG_CONTENT ?? '') };
}

test('it knows the proxy and no other provider, and keeps what it knows in a folder of its own', () => {
  const { env, writable, config } = prepared();
  expect(config).toMatchObject({
    enabled_providers: ['openai', 'anthropic'],
    provider: {
      openai: { options: { baseURL: 'http://127.0.0.1:1/h/a/v1' } },
      anthropic: { options: { baseURL: 'http://127.0.0.1:1/h/b/v1' } },
    },
    permission: 'allow',
  });
  expect([env.XDG_DATA_HOME, env.OPENCODE_DISABLE_PROJECT_CONFIG]).toEqual([`${folder}/state/.local/share`, '1']);
  expect(writable).toEqual([`${folder}/state`]);
  expect(JSON.stringify(env)).not.toMatch(/t1|t2/);
});

test('it asks before it does more than look and edit; where it may only look it edits nothing', () => {
  expect(prepared({ asks: true }).config.permission).toMatchObject({ '*': 'ask', read: 'allow', edit: 'allow' });
  const reads = { ...SPEC, sandbox: 'read-only' } as const;
  expect(prepared({ asks: true, spec: reads }).config.permission).toMatchObject({ '*': 'ask', edit: 'deny' });
});

test('the rules of the repository for agents are read', () => {
  expect(prepared().config).not.toHaveProperty('instructions');
  writeFileSync(path.join(folder, 'AGENTS.md'), 'Be kind.');
  expect(prepared().config.instructions).toEqual([`${folder}/AGENTS.md`]);
});

test('with its own login it is as its user has set it up', () => {
  mkdirSync(path.join(folder, '.local/share/opencode'), { recursive: true });
  const { env, writable, config } = prepared({ spec: { ...SPEC, login: 'own' }, ways: [] });
  expect(writable).toEqual([`${folder}/.local/share/opencode`]);
  expect([env.XDG_DATA_HOME, config.enabled_providers]).toEqual([undefined, undefined]);
});
