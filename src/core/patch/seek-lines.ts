/** Faults of models in copying, each looser than the one before: an exact place anywhere is better than a near one. */
const FORMS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plainSigns(line).trim(),
];

/** Hostile files and patches could ask for more comparisons than anybody waits for. Counted over a whole patch. */
export type Effort = { comparisons: number };
const COMPARISONS_MAX = 30_000_000;

export type Search = { pattern: readonly string[]; from: number; atEnd: boolean };

export type Seeker = {
  /** The index where the lines begin; undefined when they are nowhere. */
  seek(search: Search): number | undefined;
  /** Whether it stopped because it was asked to compare too much. */
  readonly isExhausted: boolean;
};

/** Looks for lines in one text, again and again: each form of its lines is made once. */
export function createSeeker(lines: readonly string[], effort: Effort): Seeker {
  const forms: (readonly string[])[] = [lines];

  const fits = (text: readonly string[], pattern: readonly string[], at: number): boolean => {
    for (let index = 0; index < pattern.length; index += 1) {
      effort.comparisons += 1;
      if (text[at + index] !== pattern[index]) return false;
    }
    return true;
  };

  const seekIn = (text: readonly string[], { pattern, from, atEnd }: Search): number | undefined => {
    const last = text.length - pattern.length;
    for (let at = atEnd ? Math.max(from, last) : from; at <= last; at += 1) {
      if (effort.comparisons > COMPARISONS_MAX) return undefined;
      if (fits(text, pattern, at)) return at;
    }
    return undefined;
  };

  return {
    seek(search) {
      for (const [level, form] of FORMS.entries()) {
        const text = forms[level] ?? lines.map(form);
        forms[level] = text;
        const found = seekIn(text, { ...search, pattern: search.pattern.map(form) });
        if (found !== undefined) return found;
      }
      return undefined;
    },
    get isExhausted() {
      return effort.comparisons > COMPARISONS_MAX;
    },
  };
}

/** Typographic dashes, quotes and blanks as a keyboard writes them. */
function plainSigns(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201B]/g, "'")
    .replace(/[\u201C-\u201F]/g, '"')
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, ' ');
}
