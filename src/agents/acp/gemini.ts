import { mkdirSync } from 'node:fs';
import type { Prepared, Preparing } from './known-acp.js';
import { ownFolders } from './own-folders.js';

/** With a key it has a folder of its own; without one, or when that is wanted, its own login. */
export function prepareGemini({ spec, state, environment }: Preparing): Prepared {
  if (spec.login === 'own' || !environment.GEMINI_API_KEY) {
    return { env: {}, writable: ownFolders(environment, ['.gemini']) };
  }
  mkdirSync(state, { recursive: true, mode: 0o700 });
  return { env: { GEMINI_CLI_HOME: state }, writable: [state] };
}
