import { type Denial, deny } from './verdict.js';

/** The only major this release speaks. */
const MAJOR = '1';

/**
 * Contract 003: unknown majors fail closed. The schema pins the whole form `1.y.z`; this tells a foreign major from a
 * text that is no version at all, so that the sender learns which of the two it is.
 */
export function versionDenial(
  versioned: 'required' | 'optional' | undefined,
  value: unknown,
  failedField: string,
): Denial | undefined {
  if (versioned === undefined || failedField !== 'schema_version') return undefined;
  const { schema_version: version } = value as { schema_version: unknown };
  if (typeof version !== 'string' || version.trim() === '') return undefined;
  const major = version.split('.', 1)[0];
  if (major === MAJOR) return undefined;
  return deny('UNKNOWN_SCHEMA_VERSION', `schema_version ${JSON.stringify(version.slice(0, 40))} is not ${MAJOR}.x.y`, {
    path: '/schema_version',
    known_major: MAJOR,
  });
}
