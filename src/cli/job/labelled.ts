import { printable } from '../printable.js';
import { wrapText } from '../wrap-text.js';

const WIDTH = 80;
const LABEL = 10;

/** A fact behind its name, on as many lines as it takes. `note`: they are words of others, and quoted. */
export function labelled(label: string, value: unknown, note = ''): string[] {
  if (typeof value !== 'string' || value === '') return [];
  const text = note === '' ? value : `"${value}"${note}`;
  const lines = wrapText(printable(text), WIDTH - LABEL - 2);
  return lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(LABEL)}${line}`);
}
