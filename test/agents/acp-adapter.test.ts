import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AcpSpec } from '../../src/agents/agent-spec.js';
import { wantedOf } from '../../src/agents/approvals/permit.js';
import type { AgentsOptions } from '../../src/agents/create-agents.js';
import { nodeClock } from '../../src/system/node-clock.js';
import { PATH, until } from '../faults/processes/playground.js';
import { Asker } from './asker.js';

const AGENT = fileURLToPath(new URL('acp-agent.mjs', import.meta.url));
const LONG_MS = 60_000;
const ANSWER = '{"action":"COMPLETED","evidence_files":[],"summary_for_supervisor":"Done."}';

let here: Asker;
afterEach(() => here.here.clear());

function agent(way: string, options: Partial<AgentsOptions> = {}, spec: Partial<AcpSpec> = {}): Asker {
  here = new Asker({ judge: async () => ({ decision: 'ask', why: 'no rule' }), ...options });
  const argv = [process.execPath, AGENT, way] as const;
  const usual = { env: [], sandbox: 'workspace-write', model: undefined, login: undefined } as const;
  here.specs.set('agent', { adapter: 'acp', argv, ...usual, ...spec });
  return here;
}

const asked = () => wantedOf({ kind: 'exec', what: 'make all', cwd: here.here.home }, null);
const heard = (): unknown[] => {
  const file = here.here.file('heard.txt');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
};
const prompts = () => heard().flatMap((one) => (one as { prompt?: string }).prompt ?? []);

describe('an agent that speaks the protocol', { timeout: LONG_MS }, () => {
  test('works in the workspace; its last message is the answer, what it does is the live log', async () => {
    const outcome = await agent('works').ask();
    expect(outcome).toMatchObject({ type: 'answered', text: ANSWER, thread: 's1' });
    expect(heard()[0]).toEqual({ new: here.here.home });
    expect(here.log.join('')).toBe(
      `thinks: Let me see.\nsays: I build it.\n$ make all\n  done: built (+1 line)\nsays: ${ANSWER}\n`,
    );
  });

  test.each([
    ['s1', { load: 's1' }],
    ['lost', { new: expect.any(String) }],
  ])(
    'goes on with the conversation %s where it knows it; what it said there before is no answer',
    async (thread, how) => {
      const outcome = await agent('mute').ask({ thread });
      expect(heard()).toEqual([how, { prompt: expect.any(String) }]);
      expect(outcome).toMatchObject({ type: 'failed', failure: 'crash', reason: 'it ended without an answer' });
    },
  );

  describe('of a fork', () => {
    const copyOf = { run: 'j', thread: 's1', untilMs: 1 };
    const instead = 'begins a new conversation instead of that of j: ';

    test('copies the conversation of the other job, in its own folder, and what was said there is not told again', async () => {
      const here = agent('works');
      expect(await here.ask({ copyOf })).toMatchObject({ type: 'answered', text: ANSWER, thread: 's2' });
      expect(heard()).toEqual([{ fork: 's1', cwd: here.here.home }, { prompt: expect.any(String) }]);
      expect(here.log.join('')).toMatch(/^goes on with a copy of the conversation of j\nthinks: Let me see\.\n/);
    });

    test.each([
      ['works', { askedSince: async () => true }, 's1', 'it was gone on with, and can be copied as a whole only'],
      ['works', {}, 'lost', 'it does not know that any more'],
      ['single', {}, 's1', 'it makes no copies'],
    ])('begins a new one where it %s and there is no way (%o, %s)', async (way, options, thread, why) => {
      const here = agent(way, options);
      expect(await here.ask({ copyOf: { ...copyOf, thread } })).toMatchObject({ type: 'answered', thread: 's1' });
      expect(heard()[0]).toEqual({ new: here.here.home });
      expect(here.log.join('')).toContain(`${instead}${why}\n`);
    });
  });

  test('is given no files and no terminal: it has its own', async () => {
    await agent('wants').ask();
    expect(heard().at(-1)).toMatchObject({ code: -32_601 });
  });

  describe('that wants a login', () => {
    const environment = { PATH, MY_API_KEY: 'k-123456' };
    const named = { env: ['MY_API_KEY'] };
    const refused = (reason: string) => ({ failure: 'login', reason });
    const person = refused('it is not logged in: Run agent login');
    const keyless = refused('it is not logged in: In a browser; With a key');
    const wrong = refused('it answered with an error: Authentication required');

    test('and has a key for it uses that', async () => {
      expect(await agent('login-key', { environment }, named).ask()).toMatchObject({ type: 'answered' });
      expect(heard()[0]).toEqual({ methodId: 'gemini-api-key' });
    });

    test.each([
      ['login-person', named, person],
      ['login-key', {}, keyless],
      ['login-wrong-key', named, wrong],
    ])('and cannot get it without a person is said to: %s %j', async (way, spec, outcome) => {
      expect(await agent(way, { environment }, spec).ask()).toMatchObject(outcome);
    });
  });

  test('that lets nobody choose its model is not asked when one is wanted', async () => {
    const outcome = await agent('works', {}, { model: 'm' }).ask();
    expect(outcome).toMatchObject({ failure: 'refused', reason: expect.stringContaining('choose its model') });
    expect(prompts()).toEqual([]);
  });
});

describe('an agent that asks for leave', { timeout: LONG_MS }, () => {
  test('waits for a person: its turn is canceled, it is ended, and what it wants is told', async () => {
    const outcome = await agent('asks').ask();
    const wanted = { ...asked(), why: 'no rule' };
    expect(outcome).toMatchObject({ type: 'asks', wanted, thread: 's1' });
    expect(heard().slice(-2)).toEqual(expect.arrayContaining([{ outcome: 'cancelled' }, 'canceled']));
    expect(here.here.survivors()).toEqual([]);
  });

  test('for two things at once waits for the first; nobody judges the second meanwhile', async () => {
    const judged: string[] = [];
    const judge: AgentsOptions['judge'] = async (_, { what }) => {
      judged.push(what);
      return { decision: 'ask', why: 'no rule' };
    };
    expect(await agent('asks-twice', { judge }).ask()).toMatchObject({ type: 'asks', wanted: { what: 'make all' } });
    expect(judged).toEqual(['make all']);
  });

  test.each(['asks', 'forgets'])('is told what the person said, and may do it once (%s)', async (way) => {
    const { hash, what } = agent(way === 'asks' ? 'asks' : 'forgets') && asked();
    const outcome = await here.ask({
      thread: 's1',
      verdict: { kind: 'exec', hash, what, decision: 'approved', guidance: null },
    });
    expect(outcome).toMatchObject({ type: 'answered', text: ANSWER });
    expect(heard()[0]).toEqual(way === 'asks' ? { load: 's1' } : { new: here.here.home });
    expect(prompts()[0]).toMatch(/You asked whether you may: make all\nA person allows it/);
    if (way === 'asks') expect(heard().at(-1)).toEqual({ outcome: 'selected', optionId: 'y' });
  });

  test('may do it once: for the second time a person is asked again', async () => {
    const { hash, what } = agent('asks-again') && asked();
    const outcome = await here.ask({ verdict: { kind: 'exec', hash, what, decision: 'approved', guidance: null } });
    expect(outcome).toMatchObject({ type: 'asks', wanted: { hash } });
    expect(heard().slice(-3)).toEqual(expect.arrayContaining([{ outcome: 'selected', optionId: 'y' }, 'canceled']));
  });

  test('and may not is told so as often as it asks, and nobody is asked again', async () => {
    const { hash, what } = agent('asks') && asked();
    const outcome = await here.ask({ verdict: { kind: 'exec', hash, what, decision: 'denied', guidance: 'Never.' } });
    expect(outcome).toMatchObject({ type: 'failed', failure: 'refused' });
    expect(prompts().slice(1)).toEqual(Array(3).fill(expect.stringContaining('$ make all: Never.')));
  });

  test('is told why it may not, and goes on', async () => {
    let refusals = 0;
    const judge: AgentsOptions['judge'] = async () => {
      refusals += 1;
      return refusals === 1 ? { decision: 'deny', reason: 'not on a Sunday' } : { decision: 'allow' };
    };
    const outcome = await agent('asks', { judge }).ask();
    expect(outcome).toMatchObject({ type: 'answered', text: ANSWER });
    expect(prompts()[1]).toBe(
      'That was refused:\n$ make all: not on a Sunday\nGo on without it, and end as you were told to.',
    );
    expect(here.log.join('')).toContain('asks leave: $ make all\n  refused: not on a Sunday\n');
  });

  test('and does nothing but ask comes to an end', async () => {
    const outcome = await agent('asks', { judge: async () => ({ decision: 'deny', reason: 'no' }) }).ask();
    expect(outcome).toMatchObject({ type: 'failed', failure: 'refused' });
    expect(prompts()).toHaveLength(4);
  });

  test('and offers no way to say yes once hears that it was canceled', async () => {
    const outcome = await agent('asks-oddly', { judge: async () => ({ decision: 'allow' }) }).ask();
    expect(heard().at(-1)).toEqual({ outcome: { outcome: 'cancelled' } });
    expect(outcome).toMatchObject({ type: 'answered' });
  });

  test('and dies before it hears, and before anybody was asked, has crashed', async () => {
    const judge = () => new Promise<never>(() => {});
    const outcome = await agent('asks-and-dies', { judge }).ask();
    expect(outcome).toMatchObject({ type: 'failed', failure: 'crash', reason: 'exit 9' });
  });

  test('and does not stop when told to is ended, and the question stands', async () => {
    const outcome = await agent('asks-and-stays', { clock: hasty() }).ask();
    expect(outcome).toMatchObject({ type: 'asks', wanted: { hash: asked().hash } });
    expect(here.here.survivors()).toEqual([]);
  });
});

describe('an agent that does not behave', { timeout: LONG_MS }, () => {
  test.each<[string, object]>([
    ['garbage', { type: 'answered', text: ANSWER }],
    ['old', { failure: 'not-found', reason: 'it speaks version 0 of the protocol; 1 is needed' }],
    ['dies', { failure: 'crash', reason: 'exit 3: out of luck', thread: 's1' }],
    ['refuses', { failure: 'refused' }],
    ['stops', { failure: 'crash', reason: 'it stopped: max_tokens' }],
    ['errs', { failure: 'crash', reason: 'it answered with an error: Internal error: no model' }],
    ['floods', { failure: 'crash', reason: expect.stringContaining('printed more than') }],
    ['rambles', { failure: 'crash', reason: expect.stringContaining('printed more than') }],
  ])('%s', async (way, outcome) => {
    const complaints = vi.spyOn(console, 'error');
    onTestFinished(() => complaints.mockRestore());
    expect(await agent(way).ask()).toMatchObject(outcome);
    expect(complaints).not.toHaveBeenCalled();
    expect(here.here.survivors()).toEqual([]);
  });

  test('is not there, or cannot be started', async () => {
    agent('', {}, { argv: ['/no/such/opencode', 'acp'] });
    expect(await here.ask()).toMatchObject({
      failure: 'not-found',
      reason: expect.stringContaining('npm i -g opencode-ai'),
    });
  });

  test('says nothing: it is given up', async () => {
    const outcome = await agent('deaf', { clock: hasty() }).ask();
    expect(outcome).toMatchObject({ failure: 'crash', reason: 'it said nothing for 120 seconds' });
    expect(here.here.survivors()).toEqual([]);
  });

  test('never answers, and ignores that it is canceled: it is ended when its time is up', async () => {
    const asking = agent('stubborn').ask();
    await until('it works', () => heard().includes('here'));
    here.here.abort.abort();
    expect(await asking).toMatchObject({ failure: 'crash', reason: 'it was ended before it answered', thread: 's1' });
    expect(here.here.survivors()).toEqual([]);
  });

  test('does not leave after its last word: it is ended, and the answer stands', async () => {
    const outcome = await agent('lingers', { clock: hasty() }).ask();
    expect(outcome).toMatchObject({ type: 'answered', text: ANSWER });
    expect(here.here.survivors()).toEqual([]);
  });
});

/** Waits a fiftieth of the time. */
function hasty(): AgentsOptions['clock'] {
  return { ...nodeClock, after: (delayMs, call) => nodeClock.after(delayMs / 50, call) };
}
