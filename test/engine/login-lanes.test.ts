import { describe, expect, test } from 'vitest';
import { LoginLanes } from '../../src/engine/login-lanes.js';
import { settled } from './test-clock.js';

describe('the places of a login', () => {
  test('are shared by all agents that use it', async () => {
    const { lanes, enter, admitted } = setUp(2, { codex: 'openai', critic: 'openai', claude: 'anthropic' });
    enter('codex', 'a');
    enter('critic', 'b');
    enter('codex', 'c');
    enter('claude', 'd');
    expect(await admitted()).toEqual(['a', 'b', 'd']);
    lanes.releaseOthers('b', new Set());
    expect(await admitted()).toEqual(['a', 'b', 'd', 'c']);
  });

  test('stay with a run that still has its agent', async () => {
    const { lanes, enter, admitted } = setUp(1, { codex: 'openai', critic: 'openai' });
    enter('codex', 'a');
    enter('critic', 'b');
    await admitted();
    lanes.releaseOthers('a', new Set(['codex']));
    expect(await admitted()).toEqual(['a']);
  });

  test('stay with a run that goes on with another agent of the login', async () => {
    const { lanes, enter, admitted } = setUp(1, { codex: 'openai', critic: 'openai' });
    enter('codex', 'a');
    enter('critic', 'other');
    await admitted();
    enter('critic', 'a');
    lanes.releaseOthers('a', new Set(['critic']));
    expect(await admitted()).toEqual(['a', 'a']);
  });

  test('are held by what was taken over, even above the limit', async () => {
    const { lanes, enter, admitted } = setUp(1, { codex: 'openai', critic: 'openai' });
    for (const [agent, run] of [
      ['codex', 'x'],
      ['critic', 'y'],
    ] as const) {
      lanes.releaseOthers(run, new Set([agent]));
      await lanes.hold(agent, run);
    }
    enter('codex', 'a');
    lanes.releaseOthers('x', new Set());
    expect(await admitted()).toEqual([]);
    lanes.releaseOthers('y', new Set());
    expect(await admitted()).toEqual(['a']);
  });

  test('are not held by a run that ended while its login was looked up', async () => {
    const { lanes, enter, admitted } = setUp(1, { codex: 'openai' });
    lanes.releaseOthers('gone', new Set(['codex']));
    const holding = lanes.hold('codex', 'gone');
    lanes.releaseOthers('gone', new Set());
    await holding;
    enter('codex', 'a');
    expect(await admitted()).toEqual(['a']);
  });
});

function setUp(limit: number, logins: Readonly<Record<string, string>>) {
  const lanes = new LoginLanes(
    () => limit,
    async (agent) => logins[agent] ?? agent,
  );
  const order: string[] = [];
  const enter = (agent: string, run: string) => {
    const { signal } = new AbortController();
    void lanes.admit(agent, run, 0, signal).then((admitted) => admitted && order.push(run));
  };
  const admitted = async () => {
    await settled();
    return [...order];
  };
  return { lanes, enter, admitted };
}
