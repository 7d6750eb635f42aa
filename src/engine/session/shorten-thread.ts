import { recordOf } from './model-items.js';
import { type Item, userItem } from './thread-items.js';

const TOKEN_CHARS = 4;
/** A picture costs about this, however many bytes it has. */
const IMAGE_CHARS = 6_000;
/** Larger than this share of the window it is not tried; then so much is left out that this share remains. */
const FULL_AT = 0.95;
const SHORTENED_TO = 0.7;
/** Shorter outputs are not worth leaving out. */
const OUTPUT_CHARS_MIN = 500;

/** What was refused is too long, whatever we guess: this share of what we guess is sent, and so much of it the harder. */
const REFUSED_SHARE = 0.5;
const HARDER_SHARE = 0.25;
/** Of so small a part of the room one text alone takes no more. */
const TEXT_SHARE = 1 / 8;

type Sized = { item: Item; chars: number };

/**
 * A thread that can be summarised in one window: the largest outputs go first, then the oldest items. `harder`: how often
 * the provider has found it too long, or did not take it; then pictures go too, and long texts are cut.
 */
export function shortenThread(items: readonly Item[], windowTokens: number, harder = 0): readonly Item[] {
  const sized = items.map((item) => sizedItem(harder > 0 ? withoutImages(item) : item));
  let chars = charsIn(sized);
  if (harder === 0 && chars <= windowTokens * FULL_AT * TOKEN_CHARS) return items;
  const room = roomFor(chars, windowTokens, harder);
  const outputs = sized.filter((one) => 'output' in one.item && one.chars > OUTPUT_CHARS_MIN);
  for (const one of outputs.sort((a, b) => b.chars - a.chars)) {
    if (chars <= room) break;
    const item = { ...one.item, output: `${one.chars} characters of output are left out here.` };
    chars -= one.chars - charsOf(item);
    Object.assign(one, sizedItem(item));
  }
  if (harder > 0 && chars > room) {
    for (const one of sized) Object.assign(one, sizedItem(withShortTexts(one.item, room * TEXT_SHARE)));
    chars = charsIn(sized);
  }
  let first = 0;
  for (; first < sized.length - 1 && chars > room; first += 1) chars -= sized[first]?.chars ?? 0;
  const left = sized.slice(first).map(({ item }) => item);
  return first === 0 ? left : [userItem('The beginning of the thread is left out here.'), ...withoutOrphans(left)];
}

function roomFor(chars: number, windowTokens: number, harder: number): number {
  const guessed = windowTokens * SHORTENED_TO * TOKEN_CHARS;
  return harder === 0 ? guessed : Math.min(guessed, chars) * REFUSED_SHARE * HARDER_SHARE ** (harder - 1);
}

/** What a person or the model said, part by part. */
function withParts(item: Item, change: (part: Item) => Item): Item {
  const { content } = item;
  return Array.isArray(content) ? { ...item, content: content.map((part) => change(recordOf(part))) } : item;
}

function withoutImages(item: Item): Item {
  if (Array.isArray(item.output)) return { ...item, output: NO_PICTURE };
  return withParts(item, (part) => (part.type === 'input_image' ? { type: 'input_text', text: NO_PICTURE } : part));
}

const NO_PICTURE = 'A picture is left out here.';

function withShortTexts(item: Item, charsMax: number): Item {
  return withParts(item, (part) => {
    const { text } = part;
    if (typeof text !== 'string' || text.length <= charsMax) return part;
    const beginning = text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '');
    return { ...part, text: `${beginning}… [${text.length - beginning.length} characters are left out here]` };
  });
}

function sizedItem(item: Item): Sized {
  return { item, chars: charsOf(item) };
}

function charsIn(sized: readonly Sized[]): number {
  return sized.reduce((sum, one) => sum + one.chars, 0);
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
