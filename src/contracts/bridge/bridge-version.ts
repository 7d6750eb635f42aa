import { isObject } from '../shared/is-object.js';
import { type Denial, deny } from '../shared/verdict.js';

/** What the files of contract 001 are written as. */
export const BRIDGE_VERSION = '1.0';
const KNOWN_MAJOR = '1';

/** The schemas of contract 001 take any `n.m`; what another major means is not known here. */
export function bridgeVersionDenial(value: unknown): Denial | undefined {
  const version = isObject(value) ? value.version : undefined;
  if (typeof version !== 'string' || !/^\d+\.\d+$/.test(version)) return undefined;
  if (version.split('.', 1)[0] === KNOWN_MAJOR) return undefined;
  return deny('UNKNOWN_SCHEMA_VERSION', `version ${JSON.stringify(version.slice(0, 40))} is not ${KNOWN_MAJOR}.x`, {
    path: '/version',
    known_major: KNOWN_MAJOR,
  });
}
