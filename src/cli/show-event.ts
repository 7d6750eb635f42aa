import type { EventRow } from '../engine/ports.js';
import { printable, printableJson } from './printable.js';

const VALUE_LENGTH_MAX = 60;

/** An event as scripts get it, in pages and streams alike. */
export function eventObject({ position, run, seq, type, at, actor, data, hash }: EventRow): Record<string, unknown> {
  return { position, run_id: run, seq, type, at, actor, data: dataOf(data), hash };
}

/** One line, for people and logs: time, run, event, and what it says. */
export function eventLine({ position, run, type, at, actor, data }: EventRow): string {
  const told = dataOf(data);
  const entries = typeof told === 'object' && told !== null ? Object.entries(told) : [['data', told] as const];
  const pairs = [['position', position] as const, ['actor', actor] as const, ...entries].map(
    ([name, value]) => `${name}=${shownValue(value)}`,
  );
  return printable(`${at} ${run} ${type} ${pairs.join(' ')}`);
}

export function eventJsonLine(row: EventRow): string {
  return `${printableJson(eventObject(row))}\n`;
}

/** A text that was tampered with is shown as it is. */
function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function shownValue(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return text.length <= VALUE_LENGTH_MAX ? text : `${text.slice(0, VALUE_LENGTH_MAX - 3)}...`;
}
