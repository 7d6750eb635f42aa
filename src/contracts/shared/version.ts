import { type Denial, deny } from './verdict.js';

/** The only major this release speaks. */
const MAJOR = '1';
const FIELD = /^(?:\/\d+)?\/schema_version$/;

/**
 * Contract 003: unknown majors fail closed. The schema pins the whole form `1.y.z`; of the texts that do not fit it,
 * those that do not even begin with our major are named as what they are. A list may hold a payload of each version.
 */
export function versionDenial(
  versioned: 'required' | 'optional' | undefined,
  value: unknown,
  path: string,
): Denial | undefined {
  if (versioned === undefined || !FIELD.test(path)) return undefined;
  const [, first = ''] = path.split('/');
  const payload = first === 'schema_version' ? value : (value as Record<string, unknown>)[first];
  const { schema_version: version } = payload as { schema_version: unknown };
  if (typeof version !== 'string' || version.trim() === '') return undefined;
  const major = version.split('.', 1)[0];
  if (major === MAJOR) return undefined;
  const shown = JSON.stringify(version.slice(0, 40));
  return deny('UNKNOWN_SCHEMA_VERSION', `schema_version ${shown} is not ${MAJOR}.x.y`, { path, known_major: MAJOR });
}
