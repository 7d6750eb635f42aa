import { createClient } from '../../client/index.js';
import { keptProof } from './proof.js';

/** The one server this page came from. */
export const client = createClient({
  url: '',
  headers(): Record<string, string> {
    const proof = keptProof();
    return proof === null ? {} : { 'baton-proof': proof };
  },
});
