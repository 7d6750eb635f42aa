import { isPlainPath } from './plain-path.js';
import { hasControlOrBidi } from './resource.js';
import { type Denial, deny } from './verdict.js';

const PATH_LENGTH_MAX = 1024;
const SEGMENT_LENGTH_MAX = 255;

/** Folders that hold other programs' control files: a path into them is refused in any case of letters. */
const CONTROL_FOLDERS = new Set(['.git', '.baton']);

type Form = { refuses(path: string, segments: readonly string[]): boolean; because: string };

/** Forms that could lead out of the workspace or into its control files. Decided from the text alone. */
const REFUSED_FORMS: readonly Form[] = [
  { refuses: (path) => path.trim() === '', because: 'is empty' },
  { refuses: (path) => path.length > PATH_LENGTH_MAX, because: `is longer than ${PATH_LENGTH_MAX} characters` },
  { refuses: (path) => hasControlOrBidi(path), because: 'holds a control or direction character' },
  { refuses: (path) => path.includes('\\'), because: 'holds a backslash' },
  { refuses: (path) => path.startsWith('/'), because: 'is absolute' },
  { refuses: (path) => path.startsWith('~'), because: 'begins in a home folder' },
  { refuses: (path) => /^[A-Za-z]:/.test(path) || path.includes('://'), because: 'names a drive or a URL' },
  { refuses: (path) => /%(?:2e|2f|5c|00)/i.test(path), because: 'hides a dot or slash behind a percent code' },
  { refuses: (_, segments) => segments.includes('..'), because: 'leads upwards with ..' },
  {
    refuses: (_, segments) => segments.some((part) => part.length > SEGMENT_LENGTH_MAX),
    because: 'has an overlong name',
  },
  {
    refuses: (_, segments) => segments.some((part) => part !== '.' && /[. ]$/.test(part)),
    because: 'has a name ending in a dot or space',
  },
  {
    refuses: (_, segments) => segments.some((part) => CONTROL_FOLDERS.has(part.toLowerCase())),
    because: 'leads into control files',
  },
];

/** Why the text is not a plain path inside the workspace; undefined when it is. */
export function pathProblem(path: string): string | undefined {
  if (isPlainPath(path)) return undefined;
  const segments = path.split('/');
  return REFUSED_FORMS.find((form) => form.refuses(path, segments))?.because;
}

export function refusePath(
  path: string,
  at: string,
  code: 'PATH_REFUSED' | 'SCHEMA_INVALID' = 'PATH_REFUSED',
): true | Denial {
  const because = pathProblem(path);
  return because === undefined || deny(code, `${at} ${because}: ${JSON.stringify(path.slice(0, 80))}`, { path: at });
}
