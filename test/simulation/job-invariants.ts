import { jobDecider } from '../../src/core/job/job-decider.js';
import type { Machine } from '../../src/engine/machines.js';
import { ANSWER_RULES } from './job-answer-rules.js';
import { APPROVAL_RULES } from './job-approval-rules.js';
import { HANDOFF_RULES } from './job-handoff-rules.js';
import { STATE_RULES } from './job-state-rules.js';
import { lookAgain } from './look-again.js';
import type { KindInvariants } from './told.js';

const RULES = { ...HANDOFF_RULES, ...ANSWER_RULES, ...STATE_RULES, ...APPROVAL_RULES };

export const jobInvariants: KindInvariants = {
  machine: jobDecider as unknown as Machine,
  problems: ({ run, rows, journal }) => lookAgain(RULES, run, rows, (sha256) => journal.bodies.get(sha256)),
};
