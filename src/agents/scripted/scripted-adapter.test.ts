import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Asker } from '../../../test/agents/asker.js';
import { pause } from '../../../test/faults/processes/playground.js';
import { readAnswer } from '../../contracts/job/read-answer.js';
import { NO_USAGE } from '../../core/kernel/effect.js';
import type { AskOutcome } from '../../engine/ports.js';

let asker: Asker;
beforeEach(() => {
  asker = new Asker();
});
afterEach(() => asker.here.clear());

function play(...answers: object[]): void {
  const file = asker.here.file('script.json');
  writeFileSync(file, JSON.stringify({ answers }));
  asker.specs.set('agent', { adapter: 'scripted', file });
}

const said = (outcome: AskOutcome): string =>
  outcome.type === 'answered' ? outcome.text : outcome.type === 'failed' ? outcome.failure : outcome.type;
const ask = async (key: string, attempt = 1, request?: string) => said(await asker.ask({ key, attempt }, request));
const from = (role: string, phase: string) => JSON.stringify({ phase, metadata: { x_role: role } });

describe('a script', () => {
  test('answers with the first entry that fits', async () => {
    play(
      { when: { role: 'Worker', phase: 'b' }, answer: 'worker in b' },
      { when: { role: 'Worker' }, answer: 'a worker' },
      { answer: { action: 'STUCK' } },
    );
    expect(await ask('h1', 1, from('Worker', 'b'))).toBe('worker in b');
    expect(await ask('h2', 1, from('Worker', 'c'))).toBe('a worker');
    expect(await ask('h3', 1, from('Supervisor', 'b'))).toBe('{"action":"STUCK"}');
    expect(await ask('h4', 1, 'no JSON')).toBe('{"action":"STUCK"}');
  });

  test('is asked for by its file alone, too', async () => {
    play({ answer: 'hello' });
    const agent = `scripted:${asker.here.file('script.json')}`;
    expect(await asker.ask({ agent })).toEqual({ type: 'answered', text: 'hello', usage: NO_USAGE });
  });

  test('in which nothing fits refuses, and says what it was asked', async () => {
    play({ when: { role: 'Supervisor' }, answer: 'x' });
    expect(await asker.ask()).toMatchObject({ failure: 'refused', reason: expect.stringContaining('"role":"Worker"') });
  });

  test('that is missing or wrong is a failure, not a crash of Baton', async () => {
    asker.specs.set('agent', { adapter: 'scripted', file: asker.here.file('none.json') });
    expect(await asker.ask()).toMatchObject({ failure: 'not-found', reason: expect.stringContaining('ENOENT') });
    play({ fail: 'sometimes' });
    expect(await asker.ask()).toMatchObject({ failure: 'refused', reason: expect.stringContaining('/answers/0/fail') });
  });

  test.each([
    ['network', { failure: 'network' }],
    ['exit', { failure: 'crash' }],
    ['limit', { failure: 'limit', retryAfterMs: 90_000 }],
    ['login', { failure: 'login' }],
    ['auth', { failure: 'auth' }],
  ])('can fail: %s', async (fail, outcome) => {
    play({ fail, ...(fail === 'limit' && { retry_after_s: 90 }) });
    const { type, reason, usage, ...rest } = (await asker.ask()) as Extract<AskOutcome, { type: 'failed' }>;
    expect([type, reason.startsWith('scripted: '), usage, rest]).toEqual(['failed', true, NO_USAGE, outcome]);
  });

  test('can answer garbage, which no reader takes', async () => {
    play({ fail: 'garbage', answer: 'unused' });
    const text = await ask('h1');
    expect(readAnswer(text, { exact: false })).toMatchObject({ response: null, fault: { kind: 'schema' } });
  });

  test('can never answer, until its time is up', async () => {
    play({ fail: 'timeout' });
    const asked = asker.ask();
    expect(await Promise.race([asked, pause(100)])).toBeUndefined();
    asker.here.abort.abort();
    expect(await asked).toMatchObject({ type: 'failed', failure: 'timeout' });
  });

  test('can take its time, and stops at once when it is ended', async () => {
    play({ answer: 'late', delay_ms: 150 }, { answer: 'x' });
    const fromMs = performance.now();
    expect(await ask('h1')).toBe('late');
    expect(performance.now() - fromMs).toBeGreaterThanOrEqual(149);
    play({ answer: 'too late', delay_ms: 3_600_000 });
    const asked = asker.ask({ key: 'h2' });
    await pause(50);
    asker.here.abort.abort();
    expect(await asked).toMatchObject({ type: 'failed', failure: 'crash' });
  });
});

describe('how often an entry is used', () => {
  test('survives a restart, because the calls are counted from their record', async () => {
    play({ fail: 'network', times: 2 }, { answer: 'first', times: 1 }, { answer: 'then' });
    // Every ask here is of agents made anew: nothing is remembered in the process.
    const heard = [await ask('h1', 1), await ask('h1', 2), await ask('h1', 3), await ask('h2', 1), await ask('h3', 1)];
    expect(heard).toEqual(['network', 'network', 'first', 'then', 'then']);
  });

  test('does not count an answer that was lost: the same handoff gets it again', async () => {
    play({ answer: 'first', times: 1 }, { answer: 'then' });
    expect([await ask('h1', 1), await ask('h1', 2), await ask('h1', 2), await ask('h2', 1)]).toEqual([
      'first',
      'first',
      'first',
      'then',
    ]);
  });

  test('is counted for each run and each agent by itself', async () => {
    play({ answer: 'first', times: 1 }, { answer: 'then' });
    const spec = asker.specs.get('agent');
    if (spec) asker.specs.set('other', spec);
    expect([await ask('h1'), await ask('h2')]).toEqual(['first', 'then']);
    expect(said(await asker.ask({ key: 'h3', agent: 'other' }))).toBe('first');
    const { abort } = asker.here;
    const again = {
      type: 'Ask',
      key: 'h9',
      agent: 'agent',
      request: { sha256: '', bytes: 0 },
      attempt: 1,
      deadlineMs: 0,
    } as const;
    const outcome = await asker.agents.ask({ run: 'another', epoch: 1 }, again, new Uint8Array(), abort.signal);
    expect(said(outcome)).toBe('first');
  });

  test('is read over a line that was torn', async () => {
    play({ answer: 'first', times: 1 }, { answer: 'then' });
    await ask('h1');
    const file = asker.here.file(`calls/${asker.here.run}.ndjson`);
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"at":"2026`);
    expect(await ask('h2')).toBe('then');
  });
});

test('every call is recorded, also one that nothing fits', async () => {
  play({ when: { phase: 'implementation' }, answer: 'x', times: 1 });
  await ask('h1');
  await ask('h2');
  const lines = readFileSync(asker.here.file(`calls/${asker.here.run}.ndjson`), 'utf8')
    .trim()
    .split('\n');
  const usual = {
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    agent: 'agent',
    attempt: 1,
    asked: { phase: 'implementation', role: 'Worker' },
    request: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: 57 },
  };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...usual, handoff: 'h1', entry: 0 },
    { ...usual, handoff: 'h2', entry: null },
  ]);
});
