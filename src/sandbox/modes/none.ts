import { limitedOnly } from '../unconfined.js';

/** Agents and commands have all rights of the user. */
export const noneSandbox = limitedOnly('none', 'nothing');
