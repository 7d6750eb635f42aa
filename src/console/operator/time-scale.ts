import type { BoardTask } from './board-task.js';

/** What is drawn from left to right. `nowMs` lies behind all that has happened. */
export type TimeScale = {
  fromMs: number;
  toMs: number;
  nowMs: number;
  /** Nothing moves any more: there is no now to mark. */
  over: boolean;
  ticks: readonly { ms: number; label: string }[];
};

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7, 30, 365].map((count) => count * DAY),
];
const TICKS_MAX = 7;
const SPAN_LEAST = 30 * SECOND;
/** What lies ahead gets at least and at most this share of what lies behind. */
const AHEAD_LEAST = 0.06;
const AHEAD_MOST = 0.5;

type Given = { openedMs: number; restedMs: number | null; nowMs: number; aheadMs: number };

/** `aheadMs`: how far something is expected. What is further away than half of the past is cut off. */
export function timeScale({ openedMs, restedMs, nowMs, aheadMs }: Given): TimeScale {
  const over = restedMs !== null;
  const endMs = Math.max(openedMs, restedMs ?? nowMs);
  const past = Math.max(SPAN_LEAST, endMs - openedMs);
  const ahead = over ? past * 0.02 : Math.min(past * AHEAD_MOST, Math.max(past * AHEAD_LEAST, aheadMs - endMs));
  const [fromMs, toMs] = [openedMs - past * 0.01, openedMs + past + ahead];
  return { fromMs, toMs, nowMs: endMs, over, ticks: ticksOf(fromMs, toMs) };
}

function ticksOf(fromMs: number, toMs: number): TimeScale['ticks'] {
  const stepMs = STEPS.find((step) => (toMs - fromMs) / step <= TICKS_MAX) ?? (toMs - fromMs) / TICKS_MAX;
  // Days begin where the reader is, not in Greenwich.
  const zoneMs = new Date(fromMs).getTimezoneOffset() * MINUTE;
  const ticks: { ms: number; label: string }[] = [];
  for (let ms = Math.ceil((fromMs - zoneMs) / stepMs) * stepMs + zoneMs; ms < toMs; ms += stepMs) {
    ticks.push({ ms, label: labelOf(ms, stepMs) });
  }
  return ticks;
}

export function labelOf(ms: number, stepMs: number): string {
  const date = new Date(ms);
  if (stepMs >= 6 * HOUR) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  const time = date.toLocaleTimeString('en-GB');
  return stepMs < MINUTE ? time : time.slice(0, 5);
}

/** From 0 at the left to 1 at the right; what lies beyond is at the edge. */
export function placeOf({ fromMs, toMs }: TimeScale, ms: number): number {
  return Math.min(1, Math.max(0, (ms - fromMs) / (toMs - fromMs)));
}

/** When somebody who works on it counts as silent. */
export function deadlineMs({ heartbeat_at, attempts, timeout_seconds }: BoardTask): number {
  const heard = heartbeat_at ?? attempts.at(-1)?.from;
  return (heard === undefined ? 0 : Date.parse(heard)) + timeout_seconds * 1_000;
}
