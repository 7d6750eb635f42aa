import { limitedOnly } from '../unconfined.js';

/** The user says that all of this runs in a container or a virtual machine. */
export const externalSandbox = limitedOnly('external', 'declared');
