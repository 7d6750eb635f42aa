import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { ModelScenario, Step } from '../../src/testing/index.js';
import { type CliName, type CliStage, cliStage, MEND, processesOf, runs, says } from './cli-stage.js';

const LONG_MS = 120_000;
const WAIT = { timeout: 60_000, interval: 50 };
const CHECK = ['--check', 'node test/add.test.js'];

const CLIS = [
  { name: 'codex', fake: false },
  { name: 'claude', fake: false },
  { name: 'codex', fake: true },
  { name: 'claude', fake: true },
] as const satisfies readonly { name: CliName; fake: boolean }[];

describe.each(CLIS)('$name (fake: $fake)', { timeout: LONG_MS }, ({ name, fake }) => {
  const scene = (...steps: Step[]) => cliStage({ turns: [{ steps }] }, { fake });
  const scenes = (turns: ModelScenario['turns']) => cliStage({ turns }, { fake });
  const run = ({ stage }: CliStage, ...more: string[]) =>
    stage.json('run', 'Fix add', '--id', 'j', '--agent', name, '--supervisor', 'none', ...more);
  const stateOf = ({ stage }: CliStage) => path.join(stage.home, 'jobs', 'j', 'agents', name);
  /** Its first try waits in a shell until it is ended. */
  const napping = (nap: string) => runs(name, `test -e again || { touch again; sleep ${nap}; }; ${MEND}`);
  const untilNapping = ({ stage }: CliStage, nap: string) =>
    vi.waitUntil(() => processesOf(stage).find(({ line }) => line.startsWith(`sleep ${nap}`)), WAIT);
  const nothingIsLeft = ({ stage }: CliStage) => vi.waitUntil(() => processesOf(stage).length === 0, WAIT);

  test('answers: its work counts, its log is told, what it used is what the provider counts', async () => {
    const here = await scene(runs(name, MEND), says('COMPLETED', ['add.js']));
    const { exit, printed } = await run(here, ...CHECK);
    expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    const tokens = here.served().reduce((sum, one) => sum + one.tokens, 0);
    expect(printed.metrics).toMatchObject({ tokens });
    expect(tokens).toBeGreaterThan(0);
    const { out } = await here.stage.ok('job', 'log', 'j');
    expect(out).toContain('says: I mend it.');
    expect(out).toContain(MEND);
  });

  test('leaves nothing behind when its job is cleaned', async () => {
    const here = await scene(says('COMPLETED'));
    await run(here);
    expect(existsSync(stateOf(here))).toBe(true);
    await here.stage.ok('job', 'clean', 'j');
    expect(existsSync(path.dirname(stateOf(here)))).toBe(false);
  });

  test('refuses in words: that is no answer, and a person is asked', async () => {
    const here = await scene({ text: 'I am sorry, I will not do that.' });
    const { exit, printed } = await run(here);
    expect([exit, printed.status]).toEqual([3, 'INTERVENTION_REQUIRED']);
  });

  test('answers something else than was agreed', async () => {
    const here = await scene({ text: '{"action":"DONE"}' });
    const { exit, printed } = await run(here);
    expect([exit, printed.status]).toEqual([3, 'INTERVENTION_REQUIRED']);
  });

  test('is refused by its provider', async () => {
    const here = await scene({ fault: { kind: 'status', status: 400, type: 'invalid_request_error' } });
    const { printed } = await run(here);
    expect(printed.status).toBe('INTERVENTION_REQUIRED');
  });

  test('has its time: then it is ended with its shells', async () => {
    const here = await scene(napping('301.1'));
    const ended = run(here, '--timeout-seconds', '4');
    await untilNapping(here, '301.1');
    const { printed } = await ended;
    await nothingIsLeft(here);
    expect(printed.status).toBe('INTERVENTION_REQUIRED');
  });

  test('is killed from outside: asked again it goes on with the same conversation', async () => {
    const here = await scene(napping('301.2'), says('COMPLETED', ['add.js']));
    const ended = run(here, ...CHECK);
    await untilNapping(here, '301.2');
    const before = here.served().length;
    for (const { pid, line } of processesOf(here.stage))
      if (!line.startsWith('sleep') && !line.includes('bwrap')) process.kill(pid, 'SIGKILL');
    const { printed } = await ended;
    expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
    expect(here.served()[before]?.replies).toBeGreaterThan(0);
    await nothingIsLeft(here);
  });

  test('is called off: nothing of it lives on', async () => {
    const here = await scene(napping('301.3'));
    const ended = run(here);
    await untilNapping(here, '301.3');
    await here.stage.ok('job', 'cancel', 'j');
    expect((await ended).printed.status).toBe('CANCELED');
    await nothingIsLeft(here);
  });

  describe('stuck and told how to go on', () => {
    const stuck = () =>
      scenes([
        { when: { prompt: 'Like this' }, steps: [runs(name, MEND), says('COMPLETED', ['add.js'])] },
        { steps: [says('STUCK')] },
      ]);
    const goOn = async (here: CliStage) => {
      await here.stage.ok('job', 'resubmit', 'j', '--guidance', 'Like this');
      return here.stage.json('job', 'run', 'j');
    };

    test('does so in the same conversation', async () => {
      const here = await stuck();
      expect((await run(here, ...CHECK)).printed.status).toBe('INTERVENTION_REQUIRED');
      await goOn(here);
      expect((await here.stage.json('job', 'show', 'j')).printed.status).toBe('SUCCESS');
      expect(here.served().map(({ replies }) => replies > 0)).toEqual([false, true, true]);
    });

    test('begins a new one when the old one is gone', async () => {
      const here = await stuck();
      await run(here, ...CHECK);
      rmSync(stateOf(here), { recursive: true });
      await goOn(here);
      expect((await here.stage.json('job', 'show', 'j')).printed.status).toBe('SUCCESS');
      expect(here.served().map(({ replies }) => replies > 0)).toEqual([false, false, true]);
    });
  });
});
