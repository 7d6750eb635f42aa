import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { timePasses } from '../../hurried-clock.js';
import type { Printed } from '../../jobs/job-stage.js';
import { MEND, processesOf, says } from '../cli-stage.js';
import type { Behaviour, Deed, Scene, Subject } from './scene.js';

const WAIT = { timeout: 60_000, interval: 50 };
const CHECK = ['--check', 'node test/add.test.js'];
const said = (...words: Parameters<typeof says>): Deed => ({ says: says(...words).text ?? '' });
const DONE = said('COMPLETED');
const MENDS: readonly Deed[] = [{ runs: MEND }, said('COMPLETED', ['add.js'])];
const STUCK = said('STUCK');

/** `shows` it; or, of an agent that cannot, that it really does not. */
type Shown = { shows(subject: Subject): Promise<void>; lacks?(subject: Subject): Promise<void> };

/** One good turn is looked at from several sides. */
type GoodTurn = {
  exit: number;
  printed: Printed;
  mended: boolean;
  log: string;
  tokens: number;
  /** Whether it kept a conversation, and whether anything of it was left when the job was cleaned. */
  kept: boolean;
  left: boolean;
};
const goodTurns = new Map<string, Promise<GoodTurn>>();

function goodTurn(subject: Subject): Promise<GoodTurn> {
  const known = goodTurns.get(subject.name) ?? takeGoodTurn(subject);
  goodTurns.set(subject.name, known);
  return known;
}

async function takeGoodTurn(subject: Subject): Promise<GoodTurn> {
  const here = await subject.set({ first: MENDS });
  const { stage, agent } = here;
  const { exit, printed } = await run(here);
  const log = (await stage.ok('job', 'log', 'j')).out;
  const tokens = here.served?.().reduce((sum, one) => sum + one.tokens, 0) ?? 0;
  const job = path.join(stage.home, 'jobs', 'j');
  const mended = readFileSync(path.join(job, 'workspace', 'add.js'), 'utf8').includes('a + b');
  const folder = path.join(job, 'agents');
  const kept = existsSync(path.join(folder, agent));
  await stage.ok('job', 'clean', 'j');
  return { exit, printed, mended, log, tokens, kept, left: existsSync(folder) };
}

export const SHOWN: Readonly<Record<Behaviour, Shown>> = {
  answers: {
    async shows(subject) {
      const { exit, printed } = await goodTurn(subject);
      expect([exit, printed.status, printed.reason]).toEqual([0, 'SUCCESS', null]);
    },
  },

  'works with its hands': {
    async shows(subject) {
      expect((await goodTurn(subject)).mended).toBe(true);
    },
    async lacks(subject) {
      expect((await goodTurn(subject)).mended).toBe(false);
    },
  },

  'is metered': {
    async shows(subject) {
      const { printed, tokens } = await goodTurn(subject);
      expect(tokens).toBeGreaterThan(0);
      expect(tokensOf(printed)).toBe(tokens);
    },
    async lacks(subject) {
      expect(tokensOf((await goodTurn(subject)).printed)).toBe(0);
    },
  },

  'tells its live log': {
    async shows(subject) {
      const { log } = await goodTurn(subject);
      expect(log).toContain('says: I mend it.');
      expect(log).toContain(MEND);
    },
    async lacks(subject) {
      expect((await goodTurn(subject)).log).not.toMatch(/says:|\$ /);
    },
  },

  'refuses in words': {
    shows: (subject) => callsAPerson(subject, { says: 'I am sorry, I will not do that.' }),
  },
  'answers something else than was agreed': {
    shows: (subject) => callsAPerson(subject, { says: '{"action":"DONE"}' }),
  },
  'is refused by its provider': {
    shows: (subject) => callsAPerson(subject, 'is refused by its provider'),
  },

  'is ended when its time is up': {
    async shows(subject) {
      const here = await subject.set({ first: [{ naps: '301.1' }] });
      const ended = run(here, '--timeout-seconds', '60');
      await napping(here);
      await timePasses(60_000);
      const { exit, printed } = await ended;
      expect([exit, printed.status]).toEqual([3, 'INTERVENTION_REQUIRED']);
      expect(printed.reason).toContain('did not answer in time');
      await nothingIsLeft(here);
    },
  },

  'is asked again when it was killed': {
    async shows(subject) {
      const here = await subject.set({ first: [{ naps: '301.2' }, said('COMPLETED', ['add.js'])] });
      const ended = run(here, ...CHECK);
      await napping(here);
      const before = here.served?.().length ?? 0;
      kill(here);
      const { printed } = await ended;
      expect([printed.status, printed.reason]).toEqual(['SUCCESS', null]);
      // Whoever keeps its conversations goes on with this one.
      expect((here.served?.()[before]?.replies ?? 0) > 0).toBe(here.keeps !== undefined);
      await nothingIsLeft(here);
    },
    async lacks(subject) {
      const here = await subject.set({ first: [{ naps: '301.4' }] });
      const ended = run(here);
      await napping(here);
      expect(processesOf(here.stage)).toEqual([]);
      await here.stage.ok('job', 'cancel', 'j');
      await ended;
    },
  },

  'is called off': {
    async shows(subject) {
      const here = await subject.set({ first: [{ naps: '301.3' }] });
      const ended = run(here);
      await napping(here);
      if (here.program) expect(linesOf(here)).toContain(here.program);
      await here.stage.ok('job', 'cancel', 'j');
      expect((await ended).printed.status).toBe('CANCELED');
      await nothingIsLeft(here);
    },
  },

  'goes on with its conversation': {
    async shows(subject) {
      const here = await stuck(subject);
      await goesOn(here);
      expect(here.served?.().map(({ replies }) => replies > 0)).toEqual([false, true]);
    },
    async lacks(subject) {
      const here = await stuck(subject);
      await goesOn(here);
      expect(here.served?.().filter(({ replies }) => replies > 0) ?? []).toEqual([]);
    },
  },

  'begins anew when its conversation is gone': {
    async shows(subject) {
      const here = await stuck(subject);
      rmSync(here.keeps ?? '', { recursive: true });
      await goesOn(here);
      expect(here.served?.().map(({ replies }) => replies > 0)).toEqual([false, false]);
    },
    lacks: keepsNothing,
  },

  'is cleaned up': {
    async shows(subject) {
      expect(await goodTurn(subject)).toMatchObject({ kept: true, left: false });
    },
    lacks: keepsNothing,
  },
};

const run = ({ stage, agent }: Scene, ...more: string[]) =>
  stage.json('run', 'Fix add', '--id', 'j', '--agent', agent, '--supervisor', 'none', ...more);
const tokensOf = (printed: Printed) => (printed.metrics as { tokens: number }).tokens;
const linesOf = ({ stage }: Scene) =>
  processesOf(stage)
    .map(({ line }) => line)
    .join('\n');
const napping = (here: Scene) => vi.waitUntil(() => here.naps(), WAIT);
const nothingIsLeft = ({ stage }: Scene) => vi.waitUntil(() => processesOf(stage).length === 0, WAIT);

/** All of it but its nap and what holds it; some end by themselves when the first is gone. */
function kill({ stage }: Scene): void {
  for (const { pid, line } of processesOf(stage)) {
    if (line.startsWith('sleep') || line.includes('bwrap')) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch (problem) {
      if ((problem as NodeJS.ErrnoException).code !== 'ESRCH') throw problem;
    }
  }
}

async function callsAPerson(subject: Subject, deed: Deed): Promise<void> {
  const { exit, printed } = await run(await subject.set({ first: [deed] }));
  expect([exit, printed.status]).toEqual([3, 'INTERVENTION_REQUIRED']);
}

async function stuck(subject: Subject): Promise<Scene> {
  const here = await subject.set({ first: [STUCK], told: [DONE] });
  expect((await run(here)).printed.status).toBe('INTERVENTION_REQUIRED');
  return here;
}

async function goesOn({ stage }: Scene): Promise<void> {
  await stage.ok('job', 'resubmit', 'j', '--guidance', 'Like this');
  await stage.json('job', 'run', 'j');
  expect((await stage.json('job', 'show', 'j')).printed.status).toBe('SUCCESS');
}

async function keepsNothing(subject: Subject): Promise<void> {
  expect(await goodTurn(subject)).toMatchObject({ kept: false });
}
