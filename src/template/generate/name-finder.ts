import { SPELLINGS, type Spelling, spell, wordsOf } from './spellings.js';

/** Where a text stands for something else: `from` to `to` (exclusive). */
export type NameSpan = { from: number; to: number; spelling: Spelling };

/** Finds the name of a project in a text, in each of its spellings. `path` says what kind of text it is. */
export type NameFinder = (text: string, path: string) => NameSpan[];

const LETTERS_MIN = 3;

/** Names that mean something else in most code: replaced where the project is named, and nowhere else. */
const COMMON = new Set(
  (
    'admin agent api app application async auth backend base blog bot build cache class client code common component ' +
    'config console core data database default demo django docs domain event example express fastapi file flask ' +
    'frontend function game handler home http image import index json java javascript lib library list local logger ' +
    'main message model models module monitor name native node object package page parser path plugin process ' +
    'program project proxy python queue react repository rest router runner runtime rust sample schema script sdk ' +
    'search server service services session shop site source src starter storage store stream string struct system ' +
    'table task template test testing tests thread tool toolkit tools tree type types typescript user users util ' +
    'utils value view web website worker workflow'
  ).split(' '),
);

/** Some names are also ordinary words, or those of a library that is used. */
export function isDistinctive(name: string, dependencies: readonly string[]): boolean {
  const words = wordsOf(name).map((word) => word.toLowerCase());
  const flat = words.join('');
  if (flat.length < LETTERS_MIN || (words.length === 1 && COMMON.has(flat))) return false;
  return !dependencies.some((dependency) => containsWords(dependency, words));
}

function containsWords(dependency: string, words: readonly string[]): boolean {
  return `-${wordsOf(dependency).join('-')}-`.toLowerCase().includes(`-${words.join('-')}-`);
}

export function createNameFinder(name: string, dependencies: readonly string[]): NameFinder {
  const written = spellingsByText(name);
  if (written.size === 0) return () => [];
  return isDistinctive(name, dependencies) ? wideFinder(written) : narrowFinder(written);
}

function spellingsByText(name: string): ReadonlyMap<string, readonly Spelling[]> {
  const found = new Map<string, Spelling[]>();
  for (const spelling of SPELLINGS) {
    // Order.Service is an expression in most languages; it is a name only where the project is called so.
    if (spelling === 'dotted' && !name.includes('.')) continue;
    const text = spell(name, spelling);
    if (text !== '') found.set(text, [...(found.get(text) ?? []), spelling]);
  }
  return found;
}

function wideFinder(written: ReadonlyMap<string, readonly Spelling[]>): NameFinder {
  const pattern = new RegExp(alternatives(written), 'g');
  return (text) => {
    const spans: NameSpan[] = [];
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const [word] = match;
      const spelling = spellingAt(text, match.index, word, written.get(word) ?? []);
      if (spelling) spans.push({ from: match.index, to: match.index + word.length, spelling });
      else pattern.lastIndex = match.index + 1;
    }
    return spans;
  };
}

/** The same word is always taken for the same spelling, so that what refers to each other still does afterwards. */
function spellingAt(text: string, at: number, word: string, spellings: readonly Spelling[]): Spelling | undefined {
  const before = text.charAt(at - 1);
  const after = text.charAt(at + word.length);
  if (!beginsHere(before, word) || !endsHere(after, word)) return undefined;
  if (!/\p{Lu}/u.test(after)) return spellings[0];
  return spellings.find((spelling) => spelling === 'camel' || spelling === 'pascal');
}

/** A capital begins a word inside another one: createOrders. */
function beginsHere(before: string, word: string): boolean {
  if (/^\p{Lu}/u.test(word) && /\p{Ll}/u.test(word)) return !/\p{Lu}/u.test(before);
  return !/[\p{L}\p{N}]/u.test(before);
}

function endsHere(after: string, word: string): boolean {
  return /\p{Ll}/u.test(word) ? !/[\p{Ll}\p{N}]/u.test(after) : !/[\p{L}\p{N}]/u.test(after);
}

/** Where a project is named for certain, and no code refers to it. The group is the name. */
function narrowFinder(written: ReadonlyMap<string, readonly Spelling[]>): NameFinder {
  const name = `(${alternatives(written)})`;
  const places: readonly (readonly [file: RegExp, place: RegExp])[] = [
    [/(^|\/)package(-lock)?\.json$/, new RegExp(`^ {0,4}"name"\\s*:\\s*"(?:@[^"/]+/)?${name}"`, 'dgm')],
    [/(^|\/)pyproject\.toml$/, new RegExp(`^name\\s*=\\s*"${name}"`, 'dgm')],
    [/(^|\/)README[^/]*$/i, new RegExp(`^#\\s+${name}\\s*$`, 'dgm')],
  ];
  return (text, path) =>
    places
      .filter(([file]) => file.test(path))
      .flatMap(([, place]) => [...text.matchAll(place)])
      .flatMap(({ 1: word = '', indices }) => {
        const [from, to] = indices?.[1] ?? [0, 0];
        const [spelling] = written.get(word) ?? [];
        return spelling ? [{ from, to, spelling }] : [];
      });
}

/** The longest first: the one that is a part of another must not win. */
function alternatives(written: ReadonlyMap<string, unknown>): string {
  return [...written.keys()]
    .sort((left, right) => right.length - left.length)
    .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('|');
}
