import type { ToneLine } from './change-lines.js';
import { displayWidth } from './display-width.js';
import { TextFlow } from './text-flow.js';

/** Less is no room for words: there they go on from the left. */
const ROOM_MIN = 20;

/** A line of Baton's own, broken at its spaces where it is wider than this. */
export function wrapLine({ text, hang, isExact }: ToneLine, width: number): string[] {
  if (isExact || displayWidth(text) <= width) return [text];
  const start = text.search(/\S/);
  const column = hang ?? start;
  const indent = ' '.repeat(width - column < ROOM_MIN ? 0 : column);
  const flow = new TextFlow(() => width - indent.length);
  // The first line may begin elsewhere than those below it.
  const head = text.slice(0, indent.length);
  const isLabel = indent.length > start;
  const body = isLabel ? text.slice(indent.length) : text.trimStart();
  const [first = '', ...more] = (flow.take(body) + flow.end()).trimEnd().split('\n');
  return [`${isLabel ? head : indent}${first}`, ...more.map((line) => `${indent}${line}`)];
}
