import { LITERAL_MARKER, MARKER_BEGIN, marker } from './marker.js';
import { createNameFinder, type NameFinder } from './name-finder.js';
import type { PackageFacts } from './package-facts.js';

/** A value that whoever applies the template may choose. */
export type Placeholder = { name: string; default: string; description: string; pattern: string };

export const PROJECT_NAME = 'project_name';

/** Words of letters and digits: whatever the spelling, it is safe as a path, an identifier and inside quotes. */
const NAME_PATTERN = '^(?=.{1,64}$)[A-Za-z][A-Za-z0-9]*(?:[-_. ][A-Za-z0-9]+)*$';
/** One line without what would end a string in JSON, TOML or Markdown. */
const LINE_PATTERN = '^[^"\\\\`<>{}\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]{1,300}$';
const VERSION_PATTERN = '^\\d{1,9}(?:\\.\\d{1,9}){1,3}(?:[-+.][0-9A-Za-z.-]{1,60})?$';

/** Those that we write ourselves. */
export const OWN_PATTERNS: ReadonlySet<string> = new Set([NAME_PATTERN, LINE_PATTERN, VERSION_PATTERN]);

/** A text that is shorter than this stands for something else too often. */
const LENGTH_MIN = { description: 8, author: 3 };
const FALLBACK_NAME = 'project';

const PACKAGE_FILE = /(^|\/)(package\.json|pyproject\.toml|Cargo\.toml)$/;
const NAMES_PEOPLE = /(^|\/)(package\.json|pyproject\.toml|Cargo\.toml|(README|LICENSE|LICENCE|AUTHORS|NOTICE)[^/]*)$/i;
const VERSION_FIELD = /^( {0,4}"version"\s*:\s*"|version\s*=\s*")/m;

/** Turns texts and paths of a project into those of a template. */
export type Templater = {
  placeholders: readonly Placeholder[];
  text(text: string, path: string): string;
  path(path: string): string;
  /** Where the name of the project stands; also used to see that none was left. */
  findName: NameFinder;
};

type Span = { from: number; to: number; marker: string };

export function createTemplater(facts: PackageFacts): Templater {
  const placeholders = placeholdersOf(facts);
  const name = defaultOf(placeholders, PROJECT_NAME) ?? FALLBACK_NAME;
  const findName = name === facts.name ? createNameFinder(name, facts.dependencies) : () => [];
  const nameSpans = (text: string, path: string): Span[] =>
    findName(text, path).map(({ from, to, spelling }) => ({ from, to, marker: marker(PROJECT_NAME, spelling) }));
  const finders = [
    literalSpans,
    ...placeholders.flatMap((placeholder) => FINDERS[placeholder.name]?.(placeholder) ?? []),
    nameSpans,
  ];
  return {
    placeholders,
    findName,
    text: (text, path) =>
      replaceSpans(
        text,
        finders.flatMap((find) => find(text, path)),
      ),
    path: (path) => replaceSpans(path, [...literalSpans(path), ...nameSpans(path, '')]),
  };
}

function placeholdersOf({ name, description, author, version }: PackageFacts): Placeholder[] {
  const usable = new RegExp(NAME_PATTERN).test(name) ? name : FALLBACK_NAME;
  const wanted: readonly (Omit<Placeholder, 'default'> & { default: string | undefined })[] = [
    {
      name: PROJECT_NAME,
      default: usable,
      description: 'Name of the project; written as each place needs it (order-service, OrderService, ORDER_SERVICE)',
      pattern: NAME_PATTERN,
    },
    { name: 'description', default: description, description: 'What the project is, in a line', pattern: LINE_PATTERN },
    { name: 'author', default: author, description: 'Who wrote it', pattern: LINE_PATTERN },
    { name: 'version', default: version, description: 'Its first version', pattern: VERSION_PATTERN },
  ];
  return wanted.flatMap((placeholder) => {
    const { default: value, pattern } = placeholder;
    return value !== undefined && new RegExp(pattern, 'u').test(value) ? [{ ...placeholder, default: value }] : [];
  });
}

function defaultOf(placeholders: readonly Placeholder[], name: string): string | undefined {
  return placeholders.find((placeholder) => placeholder.name === name)?.default;
}

const FINDERS: Readonly<Record<string, (placeholder: Placeholder) => (text: string, path: string) => Span[]>> = {
  description: (placeholder) => exactly(placeholder, LENGTH_MIN.description),
  author: (placeholder) => exactly(placeholder, LENGTH_MIN.author),
  version:
    ({ name, default: version }) =>
    (text, path) => {
      const field = PACKAGE_FILE.test(path) ? VERSION_FIELD.exec(text) : null;
      const from = field ? field.index + field[0].length : -1;
      const found = from >= 0 && text.startsWith(`${version}"`, from);
      return found ? [{ from, to: from + version.length, marker: marker(name) }] : [];
    },
};

/** Only in files that say such things about a project, and nowhere inside a longer word. */
function exactly({ name, default: value }: Placeholder, lengthMin: number) {
  return (text: string, path: string): Span[] => {
    if (value.length < lengthMin || !NAMES_PEOPLE.test(path)) return [];
    return everyIndexOf(text, value)
      .filter((at) => !isWordAt(text, at - 1) && !isWordAt(text, at + value.length))
      .map((from) => ({ from, to: from + value.length, marker: marker(name) }));
  };
}

function isWordAt(text: string, at: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.charAt(at));
}

function literalSpans(text: string): Span[] {
  return everyIndexOf(text, MARKER_BEGIN).map((from) => ({
    from,
    to: from + MARKER_BEGIN.length,
    marker: LITERAL_MARKER,
  }));
}

function everyIndexOf(text: string, wanted: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

/** Where two want the same place, the one that begins first has it, then the one of the earlier finder. */
function replaceSpans(text: string, spans: readonly Span[]): string {
  let result = '';
  let at = 0;
  for (const span of [...spans].sort((left, right) => left.from - right.from)) {
    if (span.from < at) continue;
    result += text.slice(at, span.from) + span.marker;
    at = span.to;
  }
  return result + text.slice(at);
}
