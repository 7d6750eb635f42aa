import type { FileHandle } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { applyPlan } from '../../src/session/patch/apply-plan.js';
import { createStage, type Stage } from './stage.js';

/** Which steps fail: none, one, or all from one on. */
const disk = vi.hoisted(() => {
  const state = { count: 0, from: 0, until: 0 };
  const step = () => {
    state.count += 1;
    if (state.count < state.from || state.count > state.until) return;
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  };
  const set = (from: number, until: number) => Object.assign(state, { count: 0, from, until });
  return { state, step, set };
});

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>();
  const failing =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      disk.step();
      return call(...args);
    };
  const open = async (...args: Parameters<typeof real.open>): Promise<FileHandle> => {
    disk.step();
    const handle = await real.open(...args);
    handle.sync = failing(handle.sync.bind(handle));
    handle.write = failing(handle.write.bind(handle) as never) as never;
    return handle;
  };
  return {
    ...real,
    open,
    link: failing(real.link),
    mkdir: failing(real.mkdir as (path: string) => Promise<unknown>),
    rename: failing(real.rename),
  };
});

let here: Stage;
beforeEach(() => {
  here = createStage();
});
afterEach(() => {
  disk.set(0, 0);
  here.close();
});

test('whatever fails while a patch is applied, the tree is as it was', async () => {
  const plan = await here.plan();
  let failAt = 1;
  for (; ; failAt += 1) {
    here.renew();
    disk.set(failAt, failAt);
    const outcome = await applyPlan(plan, { cwd: here.cwd });
    const reached = disk.state.count;
    disk.set(0, 0);
    if (reached < failAt) {
      expect(outcome).toEqual({ applied: true });
      break;
    }
    expect(outcome, `step ${failAt}`).toMatchObject({ applied: false, reason: expect.stringContaining('EIO') });
    expect(here.tree(), `step ${failAt}`).toEqual(here.before);
  }
  expect(here.tree()).toEqual(here.after);
  expect(failAt).toBeGreaterThan(40);
});

test('a disk that fails for good is said so, and all is applied once it works again', async () => {
  const plan = await here.plan();
  for (let failFrom = 1; ; failFrom += 1) {
    here.renew();
    disk.set(failFrom, Number.POSITIVE_INFINITY);
    const outcome = await applyPlan(plan, { cwd: here.cwd });
    const reached = disk.state.count;
    disk.set(0, 0);
    if (reached < failFrom) break;
    expect(outcome).toMatchObject({ applied: false, reason: expect.stringContaining('EIO') });
    expect(await applyPlan(plan, { cwd: here.cwd }), `from step ${failFrom}`).toEqual({ applied: true });
    expect(here.tree(), `from step ${failFrom}`).toEqual(here.after);
  }
});
