import type { ErrorSpec } from './error-spec.js';

/** Of what keeps the journal. */
export const STORE_ERRORS = {
  STORE_BUSY: {
    http: 503,
    exit: 1,
    hint: 'Continue or end the process named in details.holders (state T = stopped: kill -CONT <pid>), then repeat.',
  },
  STORE_FULL: {
    http: 503,
    exit: 1,
    hint: 'Free space on the disk of details.home, then repeat: nothing was half written.',
  },
  STORE_DAMAGED: {
    http: 500,
    exit: 1,
    hint: 'Stop all baton processes, keep a copy of the folder in details.home, and restore its last backup.',
  },
  STORE_NEWER: { http: 500, exit: 1, hint: 'Use the release of Baton that wrote the store, or a newer one.' },
  STORE_NETWORK: { http: 500, exit: 1, hint: 'Set BATON_HOME to a folder on a local disk.' },
  STORE_READONLY: {
    http: 500,
    exit: 1,
    hint: 'Make the folder in details.home writable for your user, or set BATON_HOME to one that is.',
  },
  STORE_PERMISSIONS: {
    http: 500,
    exit: 1,
    hint: 'Run baton as the owner of details.file with that file readable by the owner alone, or set BATON_HOME to another folder.',
  },
  STORE_SHARED: {
    http: 500,
    exit: 1,
    hint: 'Open the store only in the folder it was made in: remove the link or mount at details.file and use that folder.',
  },
  STORE_MIXED: {
    http: 500,
    exit: 1,
    hint: 'Stop the workers in details.workers, which are of another release, or use their release; then repeat.',
  },
  STORE_DRIVER: {
    http: 500,
    exit: 1,
    hint: 'Install Baton again with npm ci, or use a newer Node, then run: baton doctor.',
  },
  STORE_FAILED: {
    http: 503,
    exit: 1,
    hint: 'Check the disk (dmesg), then start the process again: what was acknowledged is kept, the rest is unknown.',
  },
  STORE_CLOSED: { http: 503, exit: 1, hint: 'The store was closed; open it again or start the process again.' },
} as const satisfies Record<string, ErrorSpec>;
