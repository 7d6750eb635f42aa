import type { Clock } from '../../engine/ports.js';
import { linesOf } from '../files/read-text.js';
import { stop } from '../tool.js';
import { PatternThread } from './pattern-thread.js';

/** Which lines of a text are meant, from zero. */
export type LineFinder = { find(text: string): Promise<number[]> | number[]; close(): Promise<void> };

export function literalFinder(query: string): LineFinder {
  return {
    find(text) {
      if (!text.includes(query)) return [];
      return linesOf(text).flatMap((line, index) => (line.includes(query) ? [index] : []));
    },
    async close() {},
  };
}

export const LINE_CHARS_MAX = 4_096;
const MATCHING_MS_MAX = 5_000;

/**
 * Some patterns take longer than the age of the world on a short line, and nothing can be done about it in the thread
 * that tries them. So they are tried in a thread of their own, which is ended when its time is up; the time is that of
 * the whole search. Longer lines are tried up to their limit.
 */
export function patternFinder(
  source: string,
  { clock, signal }: { clock: Pick<Clock, 'monotonicMs' | 'after'>; signal: AbortSignal },
): LineFinder {
  refuseBadPattern(source);
  const thread = new PatternThread(source);
  const end = (): void => void thread.end();
  signal.addEventListener('abort', end);
  let leftMs = MATCHING_MS_MAX;
  return {
    async find(text) {
      const startedMs = clock.monotonicMs();
      const forget = clock.after(leftMs, end);
      const found = await thread.linesOf(linesOf(text).map((line) => line.slice(0, LINE_CHARS_MAX)));
      forget();
      leftMs -= clock.monotonicMs() - startedMs;
      if (found) return found;
      signal.throwIfAborted();
      return leftMs > 0
        ? stop('ToolError', 'the pattern took too much memory; write a simpler one')
        : stop('ToolTimeout', `the pattern took longer than ${MATCHING_MS_MAX / 1_000} seconds; write a simpler one`);
    },
    async close() {
      signal.removeEventListener('abort', end);
      await thread.end();
    },
  };
}

function refuseBadPattern(source: string): void {
  try {
    new RegExp(source);
  } catch (problem) {
    stop('BadParams', `query is no regular expression: ${problem instanceof Error ? problem.message : problem}`);
  }
}
