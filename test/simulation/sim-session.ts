import type { Ask, Composed, Perform } from '../../src/core/kernel/effect.js';
import { sessionDecider } from '../../src/core/session/session-decider.js';
import type { DeedFacts, JudgeFacts, TurnFacts } from '../../src/core/session/session-effects.js';
import type {
  CallEnd,
  CallJudgement,
  Said,
  SessionEvent,
  TurnReading,
} from '../../src/core/session/session-messages.js';
import type { SessionRun } from '../../src/core/session/session-state.js';
import type { Readers, SealedBody } from '../../src/engine/ports.js';
import { createScrub } from '../../src/engine/scrub.js';
import { sealBody } from '../../src/engine/seal.js';
import type { MemoryJournal } from '../../src/store/memory/journal.js';
import { nodeHasher } from './node-hasher.js';
import type { Seeded } from './seeded.js';

type Room = { trouble: boolean; problems: string[] };
type Around = { room: Room; chance: Seeded; journal: MemoryJournal };
type Done = { result: object; bodies: readonly SealedBody[] };

const sealing = { scrub: createScrub([]), hasher: nodeHasher };
const CALLS = [0, 0, 0, 1, 1, 2, 3, 5, 10];
const CALLS_IN_PEACE = [0, 0, 1, 2];
const RULES = [null, null, null, null, 'allow', 'ask', 'deny'] as const;
const KINDS = ['exec', 'exec', 'exec', 'patch', 'mcp'] as const;

/** Commands and tools: what they have begun in the world is not begun again. */
export function isOfHands({ deed }: Perform): boolean {
  return deed === 'session.exec' || deed === 'session.mcp';
}

type Answer = { id: string; calls: number; full: boolean; refused: boolean; input: number };

/** What a model says: from the text alone it is known what is read out of it. */
export function modelAnswer(run: string, { key, attempt, request }: Ask, chance: Seeded, trouble: boolean): string {
  const { compacts } = (request as Composed).from as TurnFacts;
  const calls = compacts ? 0 : chance.pick(trouble ? CALLS : CALLS_IN_PEACE);
  const isBad = trouble && chance.chance(0.04);
  const isOdd = /[13579]$/.test(key);
  const answer: Answer = {
    ...{ id: `${run} ${key}.${attempt}`, calls, full: isBad && !isOdd, refused: isBad && isOdd },
    input: chance.chance(0.1) ? 900 : 100,
  };
  return JSON.stringify(answer);
}

export function sessionReaders({ room, chance }: { room: Room; chance: Seeded }): Readers {
  return {
    async read(_reading, { text, ref }) {
      if (room.trouble && chance.chance(0.03)) throw new Error('it cannot be read now');
      const { id, calls, full, refused, input } = JSON.parse(text) as Answer;
      if (full) return { reading: { type: 'context-full' } satisfies TurnReading, bodies: [] };
      if (refused) return { reading: { type: 'refused', reason: 'so' } satisfies TurnReading, bodies: [] };
      const asked = Array.from({ length: calls }, (_, index): Said => {
        return { type: 'call', callId: `theirs-${index % 4}`, tool: 'exec_command', custom: false };
      });
      const said: Said[] = [{ type: 'message', itemId: 'words', said: ref }, ...asked];
      const figures = { input, cachedInput: 0, output: 20, reasoning: 0 };
      const more = { callsLeftOut: 0, figures, isCut: false };
      return {
        reading: { type: 'response', responseId: id, output: ref, said, ...more } satisfies TurnReading,
        bodies: [],
      };
    },
  };
}

/** The text tells the facts; those must be the ones that the journal tells. */
export function composeTurn({ room, journal }: Around, run: string, facts: TurnFacts): string {
  const told = JSON.stringify(facts);
  for (const effect of sessionDecider.outstanding(foldOf(journal, run))) {
    if (effect.type !== 'Ask' || effect.key !== `turn-${facts.turn}` || effect.attempt !== facts.attempt) continue;
    const expected = JSON.stringify((effect.request as Composed).from);
    if (expected !== told) room.problems.push(`${run}: the model is told ${told}, the journal tells ${expected}`);
  }
  return `${run} ${told}`;
}

function foldOf(journal: MemoryJournal, run: string): SessionRun {
  return journal.eventsOf(run).reduce<SessionRun>((state, { type, data }) => {
    return sessionDecider.evolve(state, { ...JSON.parse(data), type } as SessionEvent);
  }, sessionDecider.initialState());
}

export function sessionDeed(around: Around, run: string, { deed, input }: Perform): Done {
  if (deed === 'session.judge') return judge(around, run, input as JudgeFacts);
  return act(around, run, input as DeedFacts);
}

function judge({ room, chance }: Around, run: string, { calls }: JudgeFacts): Done {
  const bodies: SealedBody[] = [];
  const keep = (text: string) => {
    const { ref, body } = sealBody(sealing, text);
    bodies.push(body);
    return ref;
  };
  const known = calls.filter(() => !(room.trouble && chance.chance(0.03)));
  const judgements = known.map(({ id: callId }): CallJudgement => {
    if (chance.chance(0.15)) {
      const plan = chance.chance(0.5) ? keep(`plan of ${run} ${callId}`) : null;
      return { callId, type: 'answer', output: { words: 'so it is' }, plan };
    }
    const what = `command ${chance.below(6)}`;
    const facts = {
      ...{ holds: chance.chance(0.8), isKnownSafe: chance.chance(0.4), rule: chance.pick(RULES), reason: null },
      wantsOutside: chance.chance(0.15),
    };
    return {
      ...{ callId, type: 'deed', kind: chance.pick(KINDS), facts, title: what },
      ...{ plan: keep(`plan of ${run} ${callId}`), shown: keep(`shown of ${run} ${callId}`) },
      hashes: { inside: `${what} inside`, outside: `${what} outside` },
    };
  });
  return { result: { judgements }, bodies };
}

/** Whoever does it looks again whether it is what was allowed. */
function act({ room, chance, journal }: Around, run: string, { call, hash, where }: DeedFacts): Done {
  const events = journal.eventsOf(run).map(({ type, data }) => ({ ...JSON.parse(data), type }) as SessionEvent);
  const asked = events.find((event) => event.type === 'ApprovalAsked' && event.call === call);
  if (asked?.type === 'ApprovalAsked' && (asked.hash !== hash || asked.where !== where)) {
    room.problems.push(`${run}: ${call} does ${hash}, asked for was ${asked.hash}`);
  }
  const { ref, body } = sealBody(sealing, `came of ${run} ${call}`);
  const success = chance.chance(0.7);
  const isDenied = !success && chance.chance(0.6);
  const end: CallEnd = { said: ref, output: ref, success, isDenied, activeMs: chance.below(100) };
  return { result: { end }, bodies: [body] };
}
