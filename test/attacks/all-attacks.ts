import type { Attack } from './attack.js';
import { ACCESS_ATTACKS } from './attacks-on-access.js';
import { LEDGER_ATTACKS } from './attacks-on-ledgers.js';
import { READING_ATTACKS } from './attacks-on-reading.js';

export const ATTACKS: readonly Attack[] = [...ACCESS_ATTACKS, ...READING_ATTACKS, ...LEDGER_ATTACKS];
