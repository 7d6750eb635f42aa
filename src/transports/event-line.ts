import type { WireEvent } from '../engine/session/session-desk.js';

/** One event as one line. Readers that also split at U+2028 and U+2029 are not led astray. */
export function eventLine(event: WireEvent): string {
  return `${eventText(event)}\n`;
}

export function eventText(event: WireEvent): string {
  const text = JSON.stringify(event);
  return SEPARATORS.test(text) ? text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029') : text;
}

const SEPARATORS = /[\u2028\u2029]/;
