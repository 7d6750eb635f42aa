import type { LedgerActBody } from '../generated/types/ledger-act.js';
import { validate, validateStrict } from '../generated/validators/ledger-act.js';
import type { Contract } from '../shared/contract.js';

export const ledgerAct: Contract<LedgerActBody> = { name: 'ledger-act', validate, validateStrict, rules: [] };
