import type { RunEvent } from '../../contracts/api/run-shapes.js';
import type { EventRow } from '../ports.js';

/** An event as scripts get it, in pages and streams alike. */
export function eventObject({ position, run, seq, type, at, actor, data, hash }: EventRow): RunEvent {
  return { position, run_id: run, seq, type, at, actor, data: dataOf(data), hash };
}

/** A text that was tampered with is shown as it is. */
export function dataOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
