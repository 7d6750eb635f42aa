import { pointerFits } from './pointer-fits.js';
import type { Violation } from './violations.js';

/** A bug that is known and not yet fixed. Its cases run as tests that must fail: once it is fixed, delete the entry. */
export type KnownBug = { sentence: string; shows(violation: Violation): boolean };

export const KNOWN_BUGS: readonly KnownBug[] = [
  {
    sentence: 'a foreign major inside a list of deltas is UNKNOWN_SCHEMA_VERSION',
    shows: ({ contract, pointer, what }) =>
      contract === 'ledger-delta' && pointerFits(pointer, '/*/schema_version') && what.startsWith('major of'),
  },
  {
    sentence: 'strict mode also closes objects whose schema has conditions',
    shows: ({ contract, pointer, strict, code }) =>
      strict &&
      code === 'SCHEMA_INVALID' &&
      OPEN_IN_STRICT.some(([name, path]) => name === contract && path === pointer),
  },
  {
    sentence: 'strict mode also holds for the packets inside an orchestrator output',
    shows: ({ contract, pointer, strict, code }) =>
      strict &&
      code === 'SCHEMA_INVALID' &&
      contract === 'orchestrator-output' &&
      pointer.startsWith('/assignments/0/'),
  },
];

const OPEN_IN_STRICT = [
  ['agent', '/unknown_field'],
  ['recovery-point', '/unknown_field'],
  ['job-history', '/recovery_points/0/unknown_field'],
  ['submission', '/op/agent/unknown_field'],
] as const;
