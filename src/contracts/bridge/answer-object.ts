import { isObject } from '../shared/is-object.js';
import { type ReadResult, readJson } from '../shared/read-json.js';

/** The JSON that an agent answered with: alone, or inside one Markdown fence with words around it. */
export function readAnswerJson(text: string): ReadResult {
  const whole = readJson(text.trim());
  const fenced = 'denial' in whole ? fencedText(text) : undefined;
  return fenced === undefined ? whole : readJson(fenced);
}

/** The object that it is; undefined when it is none. */
export function answerObject(text: string): Record<string, unknown> | undefined {
  const read = readAnswerJson(text);
  return 'value' in read && isObject(read.value) ? read.value : undefined;
}

/** To the last fence: a text inside the JSON may hold fences itself. */
function fencedText(text: string): string | undefined {
  const open = /```(?:json|JSON)?[ \t]*\r?\n/.exec(text);
  if (!open) return undefined;
  const start = open.index + open[0].length;
  const end = text.lastIndexOf('```');
  return end > start ? text.slice(start, end).trim() : undefined;
}
