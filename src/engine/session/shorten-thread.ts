import { type Item, userItem } from './thread-items.js';

const TOKEN_CHARS = 4;
/** A picture costs about this, however many bytes it has. */
const IMAGE_CHARS = 6_000;
/** Larger than this share of the window it is not tried; then so much is left out that this share remains. */
const FULL_AT = 0.95;
const SHORTENED_TO = 0.7;
/** Shorter outputs are not worth leaving out. */
const OUTPUT_CHARS_MIN = 500;

/** A thread that can be summarised in one window: the largest outputs go first, then the oldest items. */
export function shortenThread(items: readonly Item[], windowTokens: number): readonly Item[] {
  const sized = items.map((item) => ({ item, chars: charsOf(item) }));
  let chars = sized.reduce((sum, one) => sum + one.chars, 0);
  if (chars <= windowTokens * FULL_AT * TOKEN_CHARS) return items;
  const room = windowTokens * SHORTENED_TO * TOKEN_CHARS;
  const outputs = sized.filter((one) => 'output' in one.item && one.chars > OUTPUT_CHARS_MIN);
  for (const one of outputs.sort((a, b) => b.chars - a.chars)) {
    if (chars <= room) break;
    const item = { ...one.item, output: `${one.chars} characters of output are left out here.` };
    chars -= one.chars - charsOf(item);
    Object.assign(one, { item, chars: charsOf(item) });
  }
  let first = 0;
  for (; first < sized.length - 1 && chars > room; first += 1) chars -= sized[first]?.chars ?? 0;
  const left = sized.slice(first).map(({ item }) => item);
  return first === 0 ? left : [userItem('The beginning of the thread is left out here.'), ...withoutOrphans(left)];
}

/** In its order, as names of calls come again: an output is kept only while its call waits for one. */
function withoutOrphans(items: readonly Item[]): Item[] {
  const open: unknown[] = [];
  return items.filter((item) => {
    if (!('output' in item)) {
      if (item.call_id !== undefined) open.push(item.call_id);
      return true;
    }
    const place = open.indexOf(item.call_id);
    if (place !== -1) open.splice(place, 1);
    return place !== -1;
  });
}

function charsOf(item: Item): number {
  let images = 0;
  const text = JSON.stringify(item, (key, value) => {
    if (key !== 'image_url' || typeof value !== 'string') return value;
    images += 1;
    return '';
  });
  return text.length + images * IMAGE_CHARS;
}
