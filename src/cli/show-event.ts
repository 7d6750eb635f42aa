import type { EventRow } from '../engine/ports.js';
import { dataOf, eventObject } from '../engine/shown/event-object.js';
import { printable, printableJson } from './printable.js';

const VALUE_LENGTH_MAX = 60;

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

function shownValue(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return text.length <= VALUE_LENGTH_MAX ? text : `${text.slice(0, VALUE_LENGTH_MAX - 3)}...`;
}
