import { afterEach, beforeEach, expect, test } from 'vitest';
import { Asker } from '../../test/agents/asker.js';
import { pause, until } from '../../test/faults/processes/playground.js';
import { NO_USAGE } from '../core/kernel/effect.js';

let asker: Asker;
beforeEach(() => {
  asker = new Asker();
});
afterEach(() => asker.here.clear());

test('an agent that is not known is not found, and those that are known are named', async () => {
  asker.shell('echo hi');
  expect(await asker.ask({ agent: 'ghost' })).toEqual({
    type: 'failed',
    failure: 'not-found',
    reason: 'there is no agent ghost; known are agent, human, codex, claude, opencode, gemini, scripted:FILE',
    usage: NO_USAGE,
  });
  expect(await asker.ask({ agent: 'constructor' })).toMatchObject({ failure: 'not-found' });
});

test('an agent that is registered later is known then', async () => {
  const { agents } = asker;
  expect(await asker.ask()).toMatchObject({ failure: 'not-found' });
  asker.shell('echo hi');
  const { run, abort } = asker.here;
  const ask = {
    type: 'Ask',
    key: 'h1',
    agent: 'agent',
    request: { sha256: '', bytes: 0 },
    attempt: 1,
    deadlineMs: 0,
  } as const;
  expect(await agents.ask({ run, epoch: 1 }, ask, new Uint8Array(), abort.signal)).toMatchObject({ text: 'hi\n' });
});

test('a person is waited for until somebody ends the waiting', async () => {
  let ended = false;
  const asked = asker.ask({ agent: 'human' }).finally(() => {
    ended = true;
  });
  await pause(100);
  expect(ended).toBe(false);
  asker.here.abort.abort();
  expect(await asked).toMatchObject({ type: 'failed', failure: 'timeout' });
  expect(await asker.ask({ agent: 'human' }), 'aborted before it began').toMatchObject({ failure: 'timeout' });
});

test('what an earlier owner left is ended: of one handoff, then of the whole run', async () => {
  const { here } = asker;
  await here.start(here.nap, { handoff: 'h1' });
  await here.start(here.nap, { handoff: 'h2' });
  await until('both nap', () => here.survivors().length >= 2);
  expect(await asker.agents.endLeftover(here.run, 'h1')).toEqual(NO_USAGE);
  expect((await here.table.list({ run: here.run })).map(({ handoff }) => handoff)).toEqual(['h2']);
  expect(here.survivors().length).toBeGreaterThan(0);
  await asker.agents.endLeftover(here.run);
  expect(here.survivors()).toEqual([]);
});
