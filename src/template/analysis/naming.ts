/** The share of names that must agree. */
const MAJORITY = 0.6;
const SEEN_MIN = 2;

/** A name of one small word fits every style and says nothing. */
const STYLES: readonly { name: string; shape: RegExp }[] = [
  { name: 'kebab-case', shape: /^[a-z0-9]+(?:-[a-z0-9]+)+$/ },
  { name: 'snake_case', shape: /^[a-z0-9]+(?:_[a-z0-9]+)+$/ },
  { name: 'PascalCase', shape: /^(?:[A-Z][a-z0-9]+)+[A-Z]?$|^[A-Z]+[a-z][A-Za-z0-9]*$/ },
  { name: 'camelCase', shape: /^[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+$/ },
];

/** The style that most names have which have one. */
export function commonStyle(names: Iterable<string>): string | null {
  const counts = new Map<string, number>();
  let seen = 0;
  for (const name of names) {
    const style = STYLES.find(({ shape }) => shape.test(name))?.name;
    if (style === undefined) continue;
    seen += 1;
    counts.set(style, (counts.get(style) ?? 0) + 1);
  }
  const [best] = [...counts].sort(([, many], [, more]) => more - many);
  return best && seen >= SEEN_MIN && best[1] / seen >= MAJORITY ? best[0] : null;
}

const TYPES = /\b(?:class|interface|struct|enum|record|trait|type)\s{1,4}([A-Za-z_]\w{1,80})/g;
const FUNCTIONS: readonly RegExp[] = [
  /\b(?:function|def|func|fn|fun|sub)\s{1,4}(?:\([^()\n]{0,80}\)\s{0,4})?([A-Za-z_]\w{1,80})/g,
  /\b(?:public|private|protected|internal)\s[\w<>[\],?. ]{1,80}?\s([A-Za-z_]\w{1,80})\s?\(/g,
];

/** Without comments and strings it would be exact; the majority does not need that. */
export function declaredNames(text: string): { types: string[]; functions: string[] } {
  const all = (shape: RegExp): string[] => [...text.matchAll(shape)].map(([, name]) => name as string);
  return { types: all(TYPES), functions: FUNCTIONS.flatMap(all) };
}

/** `user.service.test.ts` is `user`: what follows is the kind of file. */
export function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.indexOf('.', 1);
  return dot === -1 ? name : name.slice(0, dot);
}
