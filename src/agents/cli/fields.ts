/** Reading what others print: anything may be missing, or be something else. */

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectOf(json: string): Fields {
  try {
    return fields(JSON.parse(json));
  } catch {
    return {};
  }
}

const LINE_LENGTH_MAX = 200;

/** One line for the live log: the first that says something, and how many more there are. */
export function oneLine(words: string): string {
  const lines = words.split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const short = first.length > LINE_LENGTH_MAX ? `${first.slice(0, LINE_LENGTH_MAX)}…` : first;
  return lines.length > 1 ? `${short} (+${lines.length - 1} lines)` : short;
}
