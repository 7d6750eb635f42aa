import type { Scrub } from '../engine/scrub.js';

/** Of a commit. */
export const SUBJECT_LENGTH_MAX = 100;

/** Without secrets and without anything that steers a terminal. */
export function oneLine(scrub: Scrub, text: string, lengthMax: number): string {
  const line = scrub(text).replace(/[\p{C}\s]+/gu, ' ');
  return [...line.trim()].slice(0, lengthMax).join('');
}
