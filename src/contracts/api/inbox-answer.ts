import type { InboxAnswerBody } from '../generated/types/inbox-answer.js';
import { validate, validateStrict } from '../generated/validators/inbox-answer.js';
import type { Contract } from '../shared/contract.js';

export const inboxAnswer: Contract<InboxAnswerBody> = { name: 'inbox-answer', validate, validateStrict, rules: [] };
