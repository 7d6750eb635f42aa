import { isObject } from '../shared/is-object.js';

/** One fence around the whole, as models like to put it. */
const FENCED = /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i;

/** The JSON object that an answer is, bare or in one Markdown fence; undefined when it is none. */
export function answerObject(text: string): Record<string, unknown> | undefined {
  const whole = text.trim();
  try {
    const value: unknown = JSON.parse(FENCED.exec(whole)?.[1] ?? whole);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
