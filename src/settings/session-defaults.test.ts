import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionDefaults } from './session-defaults.js';

let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'baton-home-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));
const configure = (session: object): void => writeFileSync(path.join(home, 'config.json'), JSON.stringify({ session }));

test('where nothing is set, what is safe holds', async () => {
  expect(await sessionDefaults(home)).toEqual({
    ...{ model: undefined, history: 'full', contextWindow: undefined, mcpServers: {} },
    ...{ approval: 'on-request', sandboxMode: 'workspace-write' },
  });
});

test('what is set holds', async () => {
  const mcp_servers = { docs: { command: 'docs-mcp --stdio' } };
  configure({ ...{ model: 'large', history: 'server', context_window: 5_000, approval_policy: 'never' }, mcp_servers });
  expect(await sessionDefaults(home)).toMatchObject({
    ...{ model: 'large', history: 'server', contextWindow: 5_000, approval: 'never', mcpServers: mcp_servers },
  });
});

test.each([
  [{}, 'exactly one of command and url'],
  [{ command: 'a', url: 'https://a.example' }, 'exactly one of command and url'],
  [{ command: './a' }, 'relative path'],
  [{ command: 'a', env: ['BATON_TOKEN'] }, "of Baton's own"],
  [{ command: 'a', header_env: { x: 'Y' } }, 'means nothing beside command'],
  [{ url: 'https://a.example', env: ['X'] }, 'means nothing beside url'],
])('a server %j is refused', async (server, because) => {
  configure({ mcp_servers: { docs: server } });
  await expect(sessionDefaults(home)).rejects.toThrow(because);
});
