const LENGTH_MAX = 80;

/** A line as a fault quotes it. */
export function shownLine(text: string): string {
  return JSON.stringify(text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX)}…` : text);
}
