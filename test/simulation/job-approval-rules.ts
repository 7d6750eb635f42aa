import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { Rule } from './job-rule.js';

type Question = Extract<JobEvent, { type: 'ApprovalAsked' }>;

/** What agents may do only when somebody says so. */
export const APPROVAL_RULES: Readonly<Record<string, Rule>> = {
  'an answer is to the question that was read, and to what was asked there': () => {
    const asked = new Map<number, Question>();
    return ({ event }) => {
      if (event.type === 'ApprovalAsked') asked.set(event.question, event);
      if (event.type !== 'ApprovalAnswered') return undefined;
      const { question, verdict } = event;
      if (verdict.guidance !== `to steward-${question}`) return `it was said ${verdict.guidance}`;
      return asked.get(question)?.wanted.hash === verdict.hash ? undefined : `it is about ${verdict.hash}`;
    };
  },

  'whoever was answered does not wait': () => {
    const answered = new Set<number>();
    return ({ event, after }) => {
      if (event.type === 'ApprovalAnswered') {
        if (answered.has(event.question)) return `${event.question} is answered twice`;
        answered.add(event.question);
      }
      const waits = after.stage.name === 'approving' && answered.has(after.stage.question);
      return waits ? 'it waits for an answer that was given' : undefined;
    };
  },

  'an answer goes with the next ask, and only where the job stood when it was given': () => {
    let open: string | undefined;
    return ({ event, after: { verdict, stage } }) => {
      if (event.type === 'ApprovalAnswered') open = event.verdict.hash;
      if (['HandoffEnded', 'HandoffAnswered', 'PhaseSet', 'RollbackBegun'].includes(event.type)) open = undefined;
      if (stage.name !== 'asking' || verdict?.hash === open) return undefined;
      return verdict ? `it is told the answer to ${verdict.hash}` : `it is not told what was said to ${open}`;
    };
  },
};
