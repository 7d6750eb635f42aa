import { describe, expect, test } from 'vitest';
import { JUDGE_DEED } from '../core/session/session-effects.js';
import type { CallJudgement } from '../core/session/session-messages.js';
import type { AskOutcome, Clock, Deeds } from '../engine/ports.js';
import { createScrub } from '../engine/scrub.js';
import { sealBody } from '../engine/seal.js';
import type { TurnRequest } from '../engine/session/read-thread.js';
import { nodeHasher } from '../system/node-hasher.js';
import { SoloSession } from './solo-session.js';
import { OWN_TOOLS } from './tool-definitions.js';

const NONE = { inputTokens: 0, outputTokens: 0, costMicroUsd: 0 };
const CALL = { type: 'function_call', call_id: 'm-1', name: 'exec_command', arguments: '{"command":"make"}' };
const ports = { scrub: createScrub(['s3cret-value-4711']), hasher: nodeHasher };

const answers = (...output: object[]): AskOutcome => {
  return { type: 'answered', text: JSON.stringify({ response_id: 'r', output }), usage: NONE };
};
const says = (text: string): AskOutcome =>
  answers({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });
const fails = (failure: 'network' | 'auth' | 'spent', reason: string): AskOutcome => {
  return { type: 'failed', failure, reason, usage: NONE };
};

/** Time goes on by itself whenever somebody waits. */
class Rushing implements Clock {
  now = 0;
  readonly waits: number[] = [];
  nowMs = (): number => this.now;
  monotonicMs = (): number => this.now;
  after(delayMs: number, call: () => void): () => void {
    if (delayMs > 60_000) return () => {};
    this.waits.push(delayMs);
    const timer = setImmediate(() => {
      this.now += delayMs;
      call();
    });
    return () => clearImmediate(timer);
  }
}

/** A model that says what it is told to, and hands that do nothing. */
class Solo {
  readonly asked: TurnRequest[] = [];
  readonly lines: string[] = [];
  readonly done: string[] = [];
  readonly clock = new Rushing();
  readonly stop = new AbortController();
  private readonly bodies = new Map<string, Uint8Array>();
  onDeed: (signal: AbortSignal) => Promise<void> = async () => {};
  readonly session: SoloSession;

  constructor(...turns: (AskOutcome | (() => AskOutcome))[]) {
    this.session = new SoloSession(
      {
        ...{ cwd: '/w', model: 'm', agent: 'a', instructions: 'Be the Worker.', history: 'full', limits: {} },
        ...{
          contextWindow: 1_000,
          project: 'p',
          classification: null,
          repository: null,
          tools: OWN_TOOLS,
          parent: 'j',
        },
        sandbox: { mode: 'workspace-write', writableRoots: [], networkAccess: false },
      },
      {
        ...{ held: { run: 'j', epoch: 1 }, clock: this.clock, ...ports, bodies: this.bodies, deeds: this.deeds },
        ask: async (turn) => {
          this.asked.push(turn);
          const next = turns.shift() ?? says('nothing more');
          return typeof next === 'function' ? next() : next;
        },
        tell: (line) => this.lines.push(line),
        signal: this.stop.signal,
      },
    );
  }

  private get deeds(): Deeds {
    const sealed = (value: object) => sealBody(ports, JSON.stringify(value));
    return {
      perform: async (_, { deed, key, input }, signal) => {
        if (deed === JUDGE_DEED) {
          const plan = sealed({});
          const shown = sealed({ command: ['make'], cwd: '/w' });
          const facts = { holds: true, isKnownSafe: false, rule: null, reason: null, wantsOutside: false };
          const judgements = (input as { calls: { id: string }[] }).calls.map(({ id: callId }): CallJudgement => {
            const hashes = { inside: 'i', outside: 'o' };
            return {
              callId,
              type: 'deed',
              kind: 'exec',
              plan: plan.ref,
              shown: shown.ref,
              hashes,
              title: 'make',
              facts,
            };
          });
          return { result: { judgements }, bodies: [plan.body, shown.body] };
        }
        await this.onDeed(signal);
        this.done.push(key);
        const said = sealed({ stdout: 'built\n', stderr: '', exit_code: 0 });
        const end = { said: said.ref, output: { words: 'exit code 0' }, success: true, isDenied: false, activeMs: 1 };
        return { result: { end }, bodies: [said.body] };
      },
    };
  }
}

describe('a session of its own', () => {
  test('goes on until the model has nothing more to do, and tells each step as a line', async () => {
    const solo = new Solo(answers(CALL, { ...CALL, call_id: 'm-2' }), says('All is built.'));
    expect(await solo.session.say('Build it.')).toEqual({ type: 'complete', message: 'All is built.' });
    expect(solo.done).toEqual(['call-1', 'call-2']);
    const step = ['$ make', '  exit code 0: built'];
    expect(solo.lines).toEqual([...step, ...step, 'says: All is built.']);
    const [first, second] = solo.asked as [TurnRequest, TurnRequest];
    expect(first.instructions).toMatch(/in the folder \/w\.[\s\S]*Nobody is asked[\s\S]*Be the Worker\.$/);
    expect((first.tools as { name: string }[]).map(({ name }) => name)).toEqual(OWN_TOOLS);
    expect(JSON.stringify(second.input)).toMatch(/Build it\..*function_call_output.*exit code 0/);
    expect(second).toMatchObject({ previousResponseId: null, store: false });
  });

  test('takes further input in the same thread', async () => {
    const solo = new Solo(says('one'), says('two'));
    await solo.session.say('First.');
    expect(await solo.session.say('Second.')).toEqual({ type: 'complete', message: 'two' });
    expect(JSON.stringify(solo.asked[1]?.input)).toMatch(/First\..*one.*Second\./);
  });

  test('waits and asks again when the network fails, and fails with what will not change', async () => {
    const solo = new Solo(fails('network', 'broken'), says('Done.'), fails('auth', 'no key'));
    expect(await solo.session.say('Go.')).toMatchObject({ type: 'complete' });
    expect(solo.clock.waits).toEqual([1_000]);
    expect(solo.lines[0]).toBe('asks its model again: broken');
    expect(await solo.session.say('Go on.')).toEqual({ type: 'failed', code: 'MODEL_FAILED', message: 'no key' });
  });

  test.each([
    ['LIMIT_REACHED', fails('spent', 'no more')],
    ['CONTEXT_FULL', { type: 'answered', text: '{"context_full":true}', usage: NONE }],
  ] as const)('ends with %s', async (code, outcome) => {
    expect(await new Solo(outcome).session.say('Go.')).toMatchObject({ type: 'failed', code });
  });

  test('sums up the thread when the window of the model fills', async () => {
    const full = { response_id: 'r1', output: [CALL], usage: { input_tokens: 900, output_tokens: 10 } };
    const solo = new Solo(
      { type: 'answered', text: JSON.stringify(full), usage: NONE },
      says('In short.'),
      says('Done.'),
    );
    expect(await solo.session.say('Go.')).toEqual({ type: 'complete', message: 'Done.' });
    expect(solo.asked.map(({ tools }) => tools.length > 0)).toEqual([true, false, true]);
    expect(JSON.stringify(solo.asked[2]?.input)).toContain('In short.');
  });

  test('keeps no secret in what it sends on', async () => {
    const solo = new Solo(says('It is s3cret-value-4711.'), says('Done.'));
    await solo.session.say('Go.');
    await solo.session.say('Again.');
    expect(JSON.stringify(solo.asked[1]?.input)).not.toContain('s3cret-value-4711');
  });
});

describe('a session of its own that is called off, or cannot go on,', () => {
  test('settles only when what it was doing has ended, once it is called off', async () => {
    const solo = new Solo(answers(CALL));
    let isEnded = false;
    solo.onDeed = async (signal) => {
      setImmediate(() => solo.stop.abort());
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      await new Promise((resolve) => setImmediate(resolve));
      isEnded = true;
      throw new Error('called off');
    };
    expect(await solo.session.say('Go.')).toMatchObject({ type: 'failed', code: 'INTERRUPTED' });
    expect(isEnded).toBe(true);
    expect(await solo.session.say('Once more.')).toMatchObject({ code: 'INTERRUPTED' });
    expect(solo.asked).toHaveLength(1);
  });

  test('called off while it waits does not wait any longer', async () => {
    const solo = new Solo(() => {
      solo.stop.abort();
      return fails('network', 'broken');
    });
    expect(await solo.session.say('Go.')).toMatchObject({ code: 'INTERRUPTED' });
  });

  test('fails with what the hands fail with', async () => {
    const solo = new Solo(answers(CALL));
    solo.onDeed = async () => {
      throw new Error('the disk is gone');
    };
    await expect(solo.session.say('Go.')).rejects.toThrow('the disk is gone');
  });
});
