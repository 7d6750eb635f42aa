import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { Rule } from './job-rule.js';

type Asked = Extract<JobEvent, { type: 'HandoffAsked' }>;

/** Asks and ends belong together, one by one, whatever agents say. */
export const HANDOFF_RULES: Readonly<Record<string, Rule>> = {
  'attempts are counted from 0 without a gap': () => {
    let sequence = 0;
    return ({ event }) => {
      if (event.type !== 'HandoffAsked') return undefined;
      sequence += 1;
      return event.sequence === sequence - 1 ? undefined : `${event.sequence} instead of ${sequence - 1}`;
    };
  },

  'handoffs and their attempts are numbered, and none comes twice': () => {
    let last = { handoff: 0, attempt: 0 };
    return ({ event }) => {
      if (event.type !== 'HandoffAsked') return undefined;
      const { handoff, attempt } = last;
      const now = { handoff: Number(event.handoff.slice(1)), attempt: event.attempt };
      last = now;
      const again = now.handoff === handoff && now.attempt === attempt + 1;
      const next = now.handoff === handoff + 1 && now.attempt === 1;
      return again || next ? undefined : `${event.handoff}.${event.attempt} after h${handoff}.${attempt}`;
    };
  },

  'an ask has one end, before the next ask': () => {
    let open: Asked | undefined;
    return ({ event, last, after }) => {
      if (event.type === 'JobCanceled') open = undefined;
      if (event.type === 'HandoffAsked') {
        const before = open;
        open = event;
        return before && `${before.handoff}.${before.attempt} has not ended`;
      }
      if (event.type === 'HandoffEnded') {
        const before = open;
        open = undefined;
        const fits = before?.handoff === event.handoff && before.attempt === event.attempt;
        return fits ? undefined : `${before?.handoff}.${before?.attempt} was asked`;
      }
      const rests = last && open && (after.stage.name === 'resting' || after.stage.name === 'ended');
      return rests ? `${open?.handoff}.${open?.attempt} has not ended and nobody works on it` : undefined;
    };
  },

  'a handoff is first asked of the agent of its phase': () => {
    return ({ before, event }) => {
      if (event.type !== 'HandoffAsked' || event.attempt !== 1) return undefined;
      const own = before.order.phases.find(({ name }) => name === event.phase)?.agent;
      return event.agent === own ? undefined : `${event.agent} instead of ${own}`;
    };
  },
};
