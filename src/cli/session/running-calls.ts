import { duration } from '../job/amounts.js';
import { printable } from '../printable.js';
import type { ToneLine } from './change-lines.js';
import { cutToWidth } from './display-width.js';

type Running = { words: string; begunMs: number; printed: string };

const CALLS_SHOWN = 3;
const LINES_SHOWN = 3;
const PRINTED_CHARS_MAX = 4_096;
const INDENT = '      ';

/** What runs now and how long it has, for a terminal where that can be overwritten. */
export class RunningCalls {
  private readonly calls = new Map<string, Running>();
  private readonly nowMs: () => number;
  private quietSinceMs: number;

  constructor(nowMs: () => number) {
    this.nowMs = nowMs;
    this.quietSinceMs = nowMs();
  }

  begins(call: string, words: string): void {
    this.calls.set(call, { words, begunMs: this.nowMs(), printed: '' });
  }

  prints(call: string, text: string): void {
    const found = this.calls.get(call);
    if (found) found.printed = (found.printed + text).slice(-PRINTED_CHARS_MAX);
  }

  ends(call: string): void {
    this.calls.delete(call);
  }

  /** Something was heard of the session. */
  heard(): void {
    this.quietSinceMs = this.nowMs();
  }

  lines(mark: string, width: number): ToneLine[] {
    if (this.calls.size === 0) return [dim(`  ${mark} the model works   ${this.since(this.quietSinceMs)}`)];
    const shown = [...this.calls.values()].slice(-CALLS_SHOWN);
    const left = this.calls.size - shown.length;
    const more = left > 0 ? [dim(`  ${mark} ${left} more`)] : [];
    return [...more, ...shown.flatMap((call) => this.callLines(call, mark, width))];
  }

  private callLines({ words, begunMs, printed }: Running, mark: string, width: number): ToneLine[] {
    const tail = printed.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
    return [
      { text: cutToWidth(`  $ ${words}   ${mark} ${this.since(begunMs)}`, width), tone: 'plain' },
      ...tail.slice(-LINES_SHOWN).map((line) => {
        return dim(cutToWidth(`${INDENT}${printable(line.replaceAll('\t', '    '))}`, width));
      }),
    ];
  }

  private since(ms: number): string {
    return duration(this.nowMs() - ms);
  }
}

function dim(text: string): ToneLine {
  return { text, tone: 'dim' };
}
