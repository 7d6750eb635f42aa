import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentRegistration } from '../contracts/generated/types/agent.js';
import { jobDefaults } from './job-defaults.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'baton-defaults-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const there = (registered: readonly string[], ready: readonly string[]) => ({
  folder,
  agents: async () => registered.map((id) => ({ id, adapter: 'command' }) as AgentRegistration),
  readyAgents: async () => ready.map((id) => ({ id, login: 'own' as const })),
  knowsAgent: async () => true,
});

describe('who works when nobody is named', () => {
  test.each([
    [[], ['claude', 'codex'], { agent: 'claude', supervisor: 'codex' }],
    [['fixer'], ['claude', 'codex'], { agent: 'claude', supervisor: 'codex' }],
    [['fixer', 'writer'], ['claude', 'codex'], { agent: 'claude', supervisor: 'codex' }],
    [['fixer', 'writer'], ['codex'], { agent: 'codex' }],
    [['fixer'], [], { agent: 'fixer' }],
  ])('of %j registered and %j ready: %j', async (registered, ready, expected) => {
    const { options } = await jobDefaults(there(registered, ready), { prompt: 'x', limits: {} }, null);
    const { agent, supervisor } = options;
    expect({ agent, ...(supervisor !== undefined && { supervisor }) }).toEqual(expected);
  });

  test.each([
    [[], 'no agent was named, neither claude nor codex is ready, and none is registered'],
    [['a', 'b'], 'no agent was named, neither claude nor codex is ready, and 2 are registered: a, b'],
  ])('with %j registered and nobody ready it is refused, and the reason is true', async (registered, reason) => {
    const asked = jobDefaults(there(registered, []), { prompt: 'x', limits: {} }, null);
    await expect(asked).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND', message: reason });
  });
});
