import type { CheckedWork, DeedProblem, JobDeeds, Prepared, Reading } from '../../src/core/job/job-deeds.js';
import type { RequestFacts } from '../../src/core/job/job-effects.js';
import type { Composed, Perform } from '../../src/core/kernel/effect.js';
import { TURN_COMPOSER, type TurnFacts } from '../../src/core/session/session-effects.js';
import type { Composers, Deeds, SealedBody } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import { sealBody } from '../../src/engine/seal.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { nodeHasher } from './node-hasher.js';
import type { Seeded } from './seeded.js';
import type { AgentRoom } from './sim-agents.js';
import { type Saying, sayingOf } from './sim-answers.js';
import type { SimProcess } from './sim-process.js';
import { composeTurn, isOfHands, sessionDeed } from './sim-session.js';

type Surroundings = { room: AgentRoom; chance: Seeded; journal: MemoryJournal };
type Done<Deed extends keyof JobDeeds> = { result: JobDeeds[Deed]['result']; bodies?: readonly SealedBody[] };
type Doings = {
  [Deed in keyof JobDeeds]: (around: Surroundings, run: string, input: JobDeeds[Deed]['input']) => Done<Deed>;
};

const sealing = { scrub: createScrub([]), hasher: nodeHasher };

/** Deeds of jobs: they take their time, fail now and then, and are not done by whoever has lost the run. */
export function deedsFor(process: SimProcess, around: Surroundings): Deeds {
  const { room, chance } = around;
  return {
    async perform(held, effect, signal) {
      // What hands have begun is not begun again: their trouble comes before.
      if (isOfHands(effect) && room.trouble && chance.chance(0.1)) throw new Error('it cannot be begun');
      const end = await room.occupy(process, held, effect, signal);
      if (end === 'ended') throw new Error(`${effect.key} was not let through, or was ended`);
      if (!isOfHands(effect) && room.trouble && chance.chance(0.1)) throw new Error('passing trouble');
      if (effect.deed.startsWith('session.')) return sessionDeed(around, held.run, effect);
      return doingOf(effect)(around, held.run, effect.input);
    },
  };
}

function doingOf({ deed }: Perform) {
  const name = deed.replace(/^job\./, '') as keyof Doings;
  return DOINGS[name] as (around: Surroundings, run: string, input: object) => { result: object };
}

const DOINGS: Doings = {
  prepare: ({ room, chance }, run, { repository }) => {
    if (room.trouble && chance.chance(0.1)) return { result: { problem: 'no such repository', output: null } };
    const place = repository ? { branch: `baton/${run}`, base: 'base' } : { branch: null, base: null };
    return {
      result: {
        folder: `/workspaces/${run}`,
        ...place,
        setupMs: chance.below(500),
        leftOut: 0,
        notes: [],
      } satisfies Prepared,
    };
  },
  collect: ({ journal, room, chance }, _run, { answer, workspace }) => {
    const problem = problemNow(room, chance);
    if (problem) return { result: problem };
    const bytes = journal.bodies.get(answer.sha256);
    if (!bytes) throw new Error(`the answer ${answer.sha256} is not there`);
    const commit = workspace.base === null ? null : `after ${answer.sha256}`;
    return { result: { ...READINGS[sayingOf(new TextDecoder().decode(bytes))], summary: answer, commit } };
  },
  check: ({ room, chance }, run, { checks, protect, handoff }) => {
    const problem = problemNow(room, chance);
    if (problem) return { result: problem };
    const { ref, body } = sealBody(sealing, `checks of ${run} after ${handoff}: ${chance.next()}`);
    const results = checks.map((argv) => {
      return { argv, exitCode: chance.chance(room.trouble ? 0.25 : 0.05) ? 1 : 0, ms: 1, output: ref };
    });
    const failed = results.some(({ exitCode }) => exitCode !== 0);
    const protectedChanged = protect.length > 0 && chance.chance(0.4) ? ['package.lock'] : [];
    return {
      result: { results, protectedChanged, guidance: failed ? ref : null } satisfies CheckedWork,
      bodies: [body],
    };
  },
  restore: ({ room, chance }) => {
    return { result: { restored: 1, problem: room.trouble && chance.chance(0.1) ? 'the point is gone' : null } };
  },
};

/** Now and then somebody takes the workspace away, or the disk is full. */
function problemNow(room: AgentRoom, chance: Seeded): DeedProblem | null {
  if (!room.trouble || !chance.chance(0.05)) return null;
  return { problem: 'it is gone', kind: chance.chance(0.5) ? 'workspace' : 'disk-full' };
}

const NOTHING: Reading = {
  action: null,
  fault: null,
  violation: null,
  summary: null,
  evidence: [],
  missing: [],
  unnamed: [],
  changed: { files: 0, added: 0, removed: 0 },
  reported: null,
  warnings: [],
  advice: null,
  commit: null,
};

export const READINGS: Readonly<Record<Saying, Reading>> = {
  COMPLETED: { ...NOTHING, action: 'COMPLETED' },
  RETRY: { ...NOTHING, action: 'RETRY' },
  STUCK: { ...NOTHING, action: 'STUCK' },
  UNPROVEN: { ...NOTHING, action: 'COMPLETED', fault: { kind: 'evidence', reason: 'a.txt is missing' } },
  GARBAGE: { ...NOTHING, fault: { kind: 'schema', reason: 'no object' }, violation: 'only text' },
};

/** What is asked tells from which facts it was put together. */
export function requestText(run: string, { phase, guidance, handedOn, workspace }: RequestFacts): string {
  const advice = guidance.map(({ sha256, from }) => `${from} ${sha256}`);
  return JSON.stringify({ run, phase, advice, handedOn, workspace });
}

export function composersFor(around: Surroundings): Composers {
  const { room, chance } = around;
  return {
    async compose(run: string, { composer, from }: Composed) {
      if (room.trouble && chance.chance(0.03)) throw new Error('a body could not be read');
      if (composer === TURN_COMPOSER) return composeTurn(around, run, from as TurnFacts);
      return requestText(run, from as RequestFacts);
    },
  };
}
