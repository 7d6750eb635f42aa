import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Step, Turn } from '../../src/testing/index.js';
import { timePasses } from '../hurried-clock.js';
import type { Printed } from '../jobs/job-stage.js';
import { type CliName, type CliStage, cliStage, MEND, processesOf, runs, says } from './cli-stage.js';

vi.mock('../../src/system/node-clock.js', () => import('../hurried-clock.js'));

const LONG_MS = 180_000;
const WAIT = { timeout: 90_000, interval: 50 };
const CHECK = ['--check', 'node test/add.test.js'];
const BOTH = ['codex', 'claude'] as const;
const ENDLESS: Step = { text: 'word '.repeat(100_000), delta_chars: 50, delta_delay_ms: 2 };

const run = ({ stage }: CliStage, name: CliName, ...more: string[]) =>
  stage.json('run', 'Fix add', '--id', 'j', '--agent', name, '--supervisor', 'none', ...more);
const sumOf = (here: CliStage) => here.served().reduce((sum, { tokens }) => sum + tokens, 0);
const tokensOf = (printed: Printed) => (printed.metrics as { tokens: number }).tokens;

describe.each(BOTH)('%s claims what is not there', { timeout: LONG_MS }, (name) => {
  const lie = () => cliStage({ turns: [{ steps: [says('COMPLETED', ['proof.txt'])] }] });

  test('and is sent back until a person has to look, never believed', async () => {
    const here = await lie();
    const { printed } = await run(here, name, '--verify', 'strict');
    expect(printed.status).toBe('INTERVENTION_REQUIRED');
    const responses = (await here.stage.history('j')).map(({ response }) => response);
    expect(responses.map(({ action }) => action)).toEqual(['RETRY', 'RETRY', 'RETRY']);
    expect(responses.map(({ new_status }) => new_status)).not.toContain('SUCCESS');
  });

  test('and is believed where a person wants that, who can read so in history and audit', async () => {
    const here = await lie();
    const { printed } = await run(here, name, '--verify', 'warn');
    expect(printed.status).toBe('SUCCESS');
    expect(JSON.stringify(await here.stage.history('j'))).toContain('proof.txt');
    expect(JSON.stringify((await here.stage.json('audit', 'show', 'j')).printed)).toContain('proof.txt');
  });
});

describe('a budget', { timeout: LONG_MS }, () => {
  test.each(BOTH)('stops %s in the middle of a turn; raised, it goes on in the same conversation', async (name) => {
    const turns: Turn[] = [{ steps: [runs(name, 'true'), ENDLESS] }];
    const here = await cliStage({ turns });
    const { exit, printed } = await run(here, name, '--max-tokens', '32000', ...CHECK);
    expect([exit, printed.status]).toEqual([4, 'HALTED_COST']);
    const before = here.served().length;
    expect(tokensOf(printed)).toBeGreaterThanOrEqual(32_000);
    expect(tokensOf(printed)).toBeLessThan(33_000);
    expect(processesOf(here.stage)).toEqual([]);
    turns[0] = { steps: [runs(name, MEND), says('COMPLETED', ['add.js'])] };
    await here.stage.ok('job', 'raise', 'j', '--max-tokens', '1000000');
    const { printed: raised } = await here.stage.json('job', 'run', 'j');
    expect([raised.status, raised.reason]).toEqual(['SUCCESS', null]);
    expect(here.served()[before]?.replies).toBeGreaterThan(0);
  });

  test('counts what a helper of Codex uses, and stops both', async () => {
    const spawn: Step = {
      tool_calls: [
        {
          namespace: 'collaboration',
          name: 'spawn_agent',
          arguments: { task_name: 'helper', message: 'HELP-ME count', fork_turns: 'none' },
        },
      ],
    };
    const wait: Step = {
      tool_calls: [{ namespace: 'collaboration', name: 'wait_agent', arguments: { timeout_ms: 60_000 } }],
    };
    const here = await cliStage({
      turns: [{ when: { prompt: 'HELP-ME' }, steps: [ENDLESS] }, { steps: [spawn, wait, says('COMPLETED')] }],
    });
    const { printed } = await run(here, 'codex', '--max-tokens', '50000');
    expect(printed.status).toBe('HALTED_COST');
    const [first, , helper] = here.model.served();
    expect([first?.complete, helper?.complete]).toEqual([true, false]);
    expect(helper?.tokens.output, 'it was in the middle of its answer').toBeGreaterThan(1_000);
    expect(tokensOf(printed)).toBeGreaterThanOrEqual(50_000);
    expect(tokensOf(printed)).toBeLessThan(52_000);
    expect(processesOf(here.stage)).toEqual([]);
  });

  test('counts what a helper of Claude Code uses', async () => {
    const spawn: Step = {
      tool_calls: [
        {
          name: 'Agent',
          arguments: { description: 'count', prompt: 'HELP-ME count', subagent_type: 'general-purpose' },
        },
        { name: 'Agent', arguments: { description: 'count', prompt: 'HELP-ME too', subagent_type: 'general-purpose' } },
      ],
    };
    const here = await cliStage({
      turns: [{ when: { prompt: 'HELP-ME' }, steps: [{ text: 'Counted.' }] }, { steps: [spawn, says('COMPLETED')] }],
    });
    const { printed } = await run(here, 'claude');
    expect([printed.status, tokensOf(printed)]).toEqual(['SUCCESS', sumOf(here)]);
  });
});

describe('a provider at its limit', { timeout: LONG_MS }, () => {
  test('parks its jobs, which go on by themselves', async () => {
    const turns: Turn[] = [{ steps: [limit(61)] }];
    const here = await cliStage({ turns });
    const { stage } = here;
    for (const name of BOTH) {
      const who = ['--agent', name, '--supervisor', 'none', '--activate'];
      await stage.ok('job', 'create', 'Fix add', '--id', `j-${name}`, ...who);
    }
    const ended = stage.json('job', 'run');
    const paused = async () => ((await stage.json('status')).printed.paused as object[] | undefined)?.length;
    await vi.waitUntil(async () => (await paused()) === 2, WAIT);
    expect(await statuses(stage)).toEqual(['PENDING', 'PENDING']);
    turns[0] = { steps: [says('COMPLETED')] };
    await timePasses(61_000);
    await ended;
    expect(await statuses(stage)).toEqual(['SUCCESS', 'SUCCESS']);
  });

  const statuses = (stage: CliStage['stage']) =>
    Promise.all(BOTH.map(async (name) => (await stage.json('job', 'show', `j-${name}`)).printed.status));

  test.each([
    ['codex', 'claude'],
    ['claude', 'codex'],
  ] as const)('of %s lets %s finish in the same workspace', async (name, other) => {
    const here = await cliStage({
      turns: [
        { when: { model: 'limited' }, steps: [runs(name, 'touch begun'), limit(3_600)] },
        { steps: [runs(other, `test -e begun && ${MEND}`), says('COMPLETED', ['add.js', 'begun'])] },
      ],
    });
    await here.register(name, '--model', 'limited');
    const { printed } = await run(here, name, '--fallback', other, ...CHECK);
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    const { out } = await here.stage.ok('job', 'log', 'j');
    expect(out).toMatch(new RegExp(`h1/1 Worker ${name}: [^]* Worker ${other}: SUCCESS`));
  });
});

function limit(retry_after_s: number): Step {
  return { fault: { kind: 'status', status: 429, type: 'rate_limit_error', retry_after_s } };
}

test('agents of one login work at most so many at once, whatever they are called', { timeout: LONG_MS }, async () => {
  const here = await cliStage(
    { turns: [{ steps: [runs('codex', 'sleep 0.7'), says('COMPLETED')] }] },
    { fake: true, settings: { concurrency: { per_login: 2 } } },
  );
  const { stage } = here;
  const bin = path.join(stage.folder, 'codex.mjs');
  await stage.ok('agent', 'register', 'other', '--adapter', 'codex', '--bin', bin, '--login', 'key');
  for (const [index, agent] of ['codex', 'other', 'codex', 'other', 'codex', 'other'].entries()) {
    await stage.ok('job', 'create', 'Nap', '--id', `j${index}`, '--agent', agent, '--supervisor', 'none', '--activate');
  }
  const seen: number[] = [];
  const ended = stage.cli('job', 'run').finally(() => clearInterval(looking));
  const looking = setInterval(() => seen.push(napping(stage)), 50);
  await ended;
  expect(Math.max(...seen)).toBe(2);
  for (const index of [0, 1, 2, 3, 4, 5]) {
    expect((await stage.json('job', 'show', `j${index}`)).printed.status).toBe('SUCCESS');
  }
});

function napping(stage: CliStage['stage']): number {
  return processesOf(stage).filter(({ line }) => line.startsWith('sleep 0.7')).length;
}
