import { objectsInText, type Span } from './objects-in-text.js';

/** `violation` says what stood around the object, `problem` why there is not exactly one. Both are sentences. */
export type Taken = { text: string; violation: string } | { problem: string };

/**
 * Contract 000 wants one object and nothing else. Agents often put it into a sentence or a fenced block: from there it
 * is taken out, as long as there is only one in the whole text.
 */
export function takeObject(text: string): Taken {
  const [fenced] = fencedBlocks(text).flatMap((block) => within(text, block));
  if (fenced) return aloneIn(text, fenced) ? taken(text, fenced, 'a fenced block') : { problem: MORE_THAN_ONE };

  const { spans, unclosed } = objectsInText(text, 2);
  if (spans.length > 1) return { problem: MORE_THAN_ONE };
  if (unclosed) return { problem: 'the answer ends inside a JSON object' };
  const [span] = spans;
  return span ? taken(text, span, 'other text') : { problem: 'the answer holds no JSON object' };
}

const MORE_THAN_ONE = 'the answer holds more than one JSON object';

/** What is begun around a fenced object and never closed is no object. */
function aloneIn(text: string, { from, to }: Span): boolean {
  const around: Span[] = [
    { from: 0, to: from },
    { from: to, to: text.length },
  ];
  return around.every((part) => within(text, part).length === 0);
}

function within(text: string, { from, to }: Span): Span[] {
  const { spans } = objectsInText(text.slice(from, to), 1);
  return spans.map((span) => ({ from: from + span.from, to: from + span.to }));
}

function taken(text: string, { from, to }: Span, where: string): Taken {
  const counts = `${from} characters before it, ${text.length - to} behind it`;
  return { text: text.slice(from, to), violation: `the JSON object stood in ${where} (${counts})` };
}

const FENCE = '```';
/** Enough of a line to see whether it is a fence. */
const FENCE_LINE_MAX = 200;

/** What lies between a line of three backticks, perhaps with the name of a language, and the next one without. */
function fencedBlocks(text: string): Span[] {
  const blocks: Span[] = [];
  let from: number | undefined;
  for (let at = 0; at < text.length; ) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, Math.min(lineEnd, at + FENCE_LINE_MAX)).trim();
    if (from === undefined) {
      if (line.startsWith(FENCE)) from = lineEnd;
    } else if (line === FENCE) {
      blocks.push({ from, to: at });
      from = undefined;
    }
    at = lineEnd;
  }
  return blocks;
}

function endOfLine(text: string, from: number): number {
  const lineBreak = text.indexOf('\n', from);
  return lineBreak === -1 ? text.length : lineBreak + 1;
}
