/** The ways in which a name is written: order-service, order_service, OrderService, orderService and so on. */

const joined = (separator: string) => (words: readonly string[]) => words.map(lower).join(separator);

/** The first that fits a text is the one it is taken for, so what is also a valid identifier stands first. */
const WRITERS = {
  snake: joined('_'),
  kebab: joined('-'),
  flat: joined(''),
  camel: ([first = '', ...rest]: readonly string[]) => lower(first) + rest.map(capital).join(''),
  pascal: (words: readonly string[]) => words.map(capital).join(''),
  upper: (words: readonly string[]) => words.map((word) => word.toUpperCase()).join('_'),
  title: (words: readonly string[]) => words.map(capital).join(' '),
  dotted: (words: readonly string[]) => words.map(capital).join('.'),
} as const;

export type Spelling = keyof typeof WRITERS;

export const SPELLINGS = Object.keys(WRITERS) as readonly Spelling[];

export function isSpelling(text: string): text is Spelling {
  return Object.hasOwn(WRITERS, text);
}

export function spell(name: string, spelling: Spelling): string {
  return WRITERS[spelling](wordsOf(name));
}

/** Capitals inside a word are kept (MyAPI), unless there is nothing but capitals. */
export function wordsOf(name: string): readonly string[] {
  const shouting = name === name.toUpperCase();
  return (shouting ? name.toLowerCase() : name)
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function lower(word: string): string {
  return word.toLowerCase();
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
