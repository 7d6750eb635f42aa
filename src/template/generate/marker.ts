/** How a place to be filled is written in a template, in texts and in paths alike. */
export const MARKER_BEGIN = '{{baton.';
const MARKER_END = '}}';

/** What looks like a marker in the source is written so, and becomes what it was. */
export const LITERAL_MARKER = `${MARKER_BEGIN}open${MARKER_END}`;

export function marker(name: string, spelling?: string): string {
  return MARKER_BEGIN + (spelling ? `${name}.${spelling}` : name) + MARKER_END;
}
