import type { EnvelopeBoard, EnvelopePass } from '../../client/index.js';
import type { Tone } from '../parts/status.js';
import { litStages, shortSpan } from './envelope-words.js';

/** What is known of one stage: how it stands and every time it was at work. */
export type BoardStage = {
  name: string;
  output_key: string;
  /** `you`: it asks; `run`: it is at work; `due`: it is next; `never`: nothing has led there yet. */
  state: 'you' | 'run' | 'due' | 'ok' | 'bad' | 'never';
  passes: readonly EnvelopePass[];
  calls: number;
  costUsd: number;
};

export function stagesOf(board: EnvelopeBoard): readonly BoardStage[] {
  const lit = new Set(litStages(board));
  return board.pipeline.stages.map(({ name, output_key }) => {
    const passes = board.passes.filter(({ stage }) => stage === name);
    const sum = (of: (pass: EnvelopePass) => number) => passes.reduce((total, pass) => total + of(pass), 0);
    return {
      ...{ name, output_key, passes, state: stateOf(board, passes, lit.has(name)) },
      ...{ calls: sum(({ llm_calls }) => llm_calls), costUsd: sum(({ cost_usd }) => cost_usd) },
    };
  });
}

function stateOf({ question }: EnvelopeBoard, passes: readonly EnvelopePass[], isLit: boolean): BoardStage['state'] {
  if (passes.some(({ status }) => status === 'running')) return 'run';
  if (isLit) return question ? 'you' : 'due';
  const last = passes.at(-1);
  if (!last) return 'never';
  return last.status === 'error' ? 'bad' : 'ok';
}

export const STAGE_LOOKS = {
  you: { tone: 'you', glyph: 'diamond' },
  run: { tone: 'run', glyph: 'arc' },
  due: { tone: 'rest', glyph: 'ring' },
  ok: { tone: 'ok', glyph: 'tick' },
  bad: { tone: 'bad', glyph: 'octagon' },
  never: { tone: 'rest', glyph: 'dashes' },
} as const satisfies Record<BoardStage['state'], { tone: Tone; glyph: string }>;

/** What it does, or how long it was at work in all. */
export function stageWords({ state, passes }: BoardStage, nowMs: number): string {
  const tookMs = passes.reduce((sum, { started_at, ended_at }) => sum + spanMs(started_at, ended_at, nowMs), 0);
  switch (state) {
    case 'you':
      return 'waits for you';
    case 'run':
      return `at work for ${shortSpan(spanMs(passes.at(-1)?.started_at ?? '', null, nowMs))}`;
    case 'due':
      return 'next';
    case 'never':
      return 'not reached';
    case 'bad':
      return `failed after ${shortSpan(tookMs)}`;
    default:
      return shortSpan(tookMs);
  }
}

export function spanMs(from: string, to: string | null, nowMs: number): number {
  return Math.max(0, (to === null ? nowMs : Date.parse(to)) - Date.parse(from));
}

/** The one whose output is worth looking at first: who asks, or else who gave something last. */
export function firstLook(stages: readonly BoardStage[], board: EnvelopeBoard): string | undefined {
  const given = board.passes.filter(({ output }) => output !== null);
  return given.at(-1)?.stage ?? stages.find(({ state }) => state !== 'never')?.name ?? stages[0]?.name;
}

/** "iteration 1", and which stage of the work where there are several, and which try where that is not enough. */
export function passName(pass: EnvelopePass, passes: readonly EnvelopePass[]): string {
  const isStaged = passes.some(({ stage_number }) => stage_number !== passes[0]?.stage_number);
  const alike = passes.filter(
    ({ iteration, stage_number }) => iteration === pass.iteration && stage_number === pass.stage_number,
  );
  const stage = isStaged ? `stage ${pass.stage_number}, ` : '';
  const again = alike.length > 1 ? `, time ${alike.indexOf(pass) + 1}` : '';
  return `${stage}iteration ${pass.iteration}${again}`;
}
