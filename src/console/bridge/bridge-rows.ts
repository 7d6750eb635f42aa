import type { BridgeBoard, BridgeCrossing, BridgeRound } from '../../client/index.js';
import { shortSpan } from '../envelope/envelope-words.js';
import type { Glyph, Tone } from '../parts/status.js';

type GlyphName = Parameters<typeof Glyph>[0]['glyph'];
export type Stop = { glyph: GlyphName; tone: Tone };

/** One start of the orchestrator, and what it asked before it ended. */
export type BridgeRow = {
  key: string;
  /** Null: somebody else has started it. */
  round: BridgeRound | null;
  crossing: BridgeCrossing | null;
  /** It asked what was answered before. */
  isRepeated: boolean;
  /** It ended to ask, and what it asks is not read yet. */
  isEnding: boolean;
  /** Nobody has answered yet; `you`: a person is asked. */
  open: 'you' | 'agent' | 'rest' | null;
};

export const CHECKPOINT_EXIT = 42;

/** In the order in which the baton went. */
export function rowsOf(board: BridgeBoard): readonly BridgeRow[] {
  const { rounds, crossings } = board;
  const byId = new Map(crossings.map((crossing) => [crossing.request_id, crossing]));
  const ofRounds = new Set(rounds.map(({ request_id }) => request_id));
  const started = rounds.map((round): BridgeRow => {
    const crossing = byId.get(round.request_id ?? '') ?? null;
    const open = round.repeated ? null : openOf(board, crossing);
    const isEnding = round.exit?.code === CHECKPOINT_EXIT && round.request_id === null && board.end === null;
    const key = `round ${round.round} ${round.started_at}`;
    return { key, round, crossing, isRepeated: round.repeated, isEnding, open };
  });
  const taken = crossings
    .filter(({ request_id }) => !ofRounds.has(request_id))
    .map((crossing): BridgeRow => {
      const open = openOf(board, crossing);
      return { key: `request ${crossing.request_id}`, round: null, crossing, isRepeated: false, isEnding: false, open };
    });
  return [...started, ...taken].toSorted((one, other) => beganAt(one) - beganAt(other));
}

function beganAt({ round, crossing }: BridgeRow): number {
  return Date.parse(round?.started_at ?? crossing?.asked_at ?? '');
}

function openOf({ pending, holder }: BridgeBoard, crossing: BridgeCrossing | null): BridgeRow['open'] {
  if (!crossing || crossing.status !== null) return null;
  if (crossing.request_id !== pending) return 'rest';
  return holder === 'you' || holder === 'agent' ? holder : 'rest';
}

/** Where the orchestrator stood. */
export function roundStop({ round, isEnding }: BridgeRow): Stop {
  if (!round) return { glyph: 'dashes', tone: 'rest' };
  if (round.lost !== null) return { glyph: 'bolt', tone: 'bad' };
  if (round.ended_at === null) return { glyph: 'arc', tone: 'run' };
  if (round.request_id !== null || isEnding) return { glyph: 'ring', tone: 'rest' };
  return round.exit?.code === 0 ? { glyph: 'tick', tone: 'ok' } : { glyph: 'octagon', tone: 'bad' };
}

/** Where the agent stood; null: nobody was asked. */
export function crossingStop({ crossing, isRepeated, open }: BridgeRow): Stop | null {
  if (!crossing) return null;
  if (isRepeated) return { glyph: 'back', tone: 'rest' };
  if (open === 'you') return { glyph: 'diamond', tone: 'you' };
  if (open === 'agent') return { glyph: 'arc', tone: 'run' };
  if (open === 'rest') return { glyph: 'bars', tone: 'rest' };
  return crossing.status === null ? { glyph: 'ring', tone: 'rest' } : STATUS_STOPS[crossing.status];
}

const STATUS_STOPS: Readonly<Record<NonNullable<BridgeCrossing['status']>, Stop>> = {
  success: { glyph: 'tick', tone: 'ok' },
  error: { glyph: 'octagon', tone: 'bad' },
  timeout: { glyph: 'octagon', tone: 'bad' },
  cancelled: { glyph: 'slash', tone: 'rest' },
};

/** What came of it, as one word. */
export function verdictOf({ round, crossing, isRepeated, isEnding, open }: BridgeRow): {
  word: string;
  tone: Tone | '';
} {
  if (crossing) {
    if (isRepeated) return { word: 'REPEATED', tone: '' };
    if (open !== null) return OPEN_VERDICTS[open];
    return crossing.status === null ? { word: 'OPEN', tone: '' } : STATUS_VERDICTS[crossing.status];
  }
  if (!round || round.lost !== null) return { word: 'LOST', tone: 'bad' };
  if (round.ended_at === null) return { word: 'RUNNING', tone: 'run' };
  if (round.exit?.signal) return { word: round.exit.signal, tone: 'bad' };
  const code = round.exit?.code ?? null;
  return { word: code === null ? 'ENDED' : `EXIT ${code}`, tone: isEnding ? '' : code === 0 ? 'ok' : 'bad' };
}

const OPEN_VERDICTS = {
  you: { word: 'WAITING', tone: 'you' },
  agent: { word: 'ASKED', tone: 'run' },
  rest: { word: 'OPEN', tone: '' },
} as const;
const STATUS_VERDICTS = {
  success: { word: 'SUCCESS', tone: 'ok' },
  error: { word: 'ERROR', tone: 'bad' },
  timeout: { word: 'TIMEOUT', tone: 'bad' },
  cancelled: { word: 'CANCELLED', tone: '' },
} as const;

/** What happened in it, below its name. */
export function rowWords({ round, crossing, isRepeated, isEnding, open }: BridgeRow): string {
  if (isEnding) return 'It asks.';
  if (!crossing) return round?.lost ?? (round?.ended_at === null ? 'It works.' : 'It asked nobody.');
  const { agent_name: name, error, by, attempts } = crossing;
  if (isRepeated) return `${name}, asked before; answered again from the log`;
  if (open === 'you') return `${name}, waits for your answer`;
  if (open === 'agent') return `${name}, ${attempts > 1 ? `try ${attempts}` : 'no answer yet'}`;
  if (error) return `${error.type}: ${error.message}`;
  return `${name}, ${by === null ? 'no answer yet' : `answered by ${by}`}`;
}

export type Part = { from: number; until: number };

/** When the orchestrator and when the agent had the baton. */
export function partsOf({ round, crossing, isRepeated, open }: BridgeRow, nowMs: number): { own?: Part; asked?: Part } {
  const part = (from: string, to: string | null, moves: boolean): Part => {
    const began = Date.parse(from);
    return { from: began, until: Math.max(began, to === null ? (moves ? nowMs : began) : Date.parse(to)) };
  };
  return {
    ...(round && { own: part(round.started_at, round.ended_at, true) }),
    ...(crossing && !isRepeated && { asked: part(crossing.asked_at, crossing.answered_at, open !== null) }),
  };
}

export function lengthOf({ from, until }: Part): string {
  return shortSpan(until - from);
}

/** The one whose words are worth reading first. What a person is asked stands above already. */
export function firstCrossing({ crossings, pending, holder }: BridgeBoard): BridgeCrossing | undefined {
  const answered = holder === 'you' ? crossings.findLast(({ status }) => status !== null) : undefined;
  return answered ?? crossings.find(({ request_id }) => request_id === pending) ?? crossings.at(-1);
}
