import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { Rule, Step } from './job-rule.js';
import { nodeHasher } from './node-hasher.js';
import { jobAnswer, SAYINGS } from './sim-answers.js';
import { requestText } from './sim-deeds.js';

type Asked = Extract<JobEvent, { type: 'HandoffAsked' }>;
type Under = { asked: Asked; key: string | null; answer: string | null; collected: boolean };

/** Asks, answers and ends belong together, one by one. */
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

  'an answer is the answer to its ask, is read once and is not dropped': () => {
    let under: Under | undefined;
    return (step) => {
      const { event, row } = step;
      const handedIn = under?.asked.byHand && under.answer === null;
      if (handedIn && (event.type !== 'HandoffAnswered' || row.key !== under?.key)) return 'nobody answered by hand';
      switch (event.type) {
        case 'HandoffAsked':
          under = { asked: event, key: row.key, answer: null, collected: false };
          return undefined;
        case 'HandoffAnswered': {
          if (!under || under.answer !== null) return 'nothing was asked';
          under.answer = event.answer.sha256;
          return isAnswerTo(step, under.asked, event.answer.sha256) ? undefined : 'the answer to another ask';
        }
        case 'HandoffCollected': {
          if (!under || under.answer === null || under.collected) return 'there is no answer to read';
          under.collected = true;
          return event.reading.summary?.sha256 === under.answer ? undefined : 'another answer was read';
        }
        case 'HandoffEnded': {
          // Without a workspace there is nothing to look at; a person is called.
          const dropped = under && under.answer !== null && !under.collected && event.cause !== 'workspace';
          under = undefined;
          return dropped ? 'its answer was never read' : undefined;
        }
        default:
          return undefined;
      }
    };
  },

  'an agent was asked what the facts say': () => {
    return ({ run, before, event }) => {
      if (event.type !== 'HandoffAnswered' && event.type !== 'HandoffEnded') return undefined;
      const { request } = event;
      if (request === null || before.workspace === null) return undefined;
      const text = requestText(run, { ...before, workspace: before.workspace });
      return request.sha256 === nodeHasher.sha256(text) ? undefined : `not ${text}`;
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

/** By whom it was given tells which text it must be. */
function isAnswerTo({ run, row, journal }: Step, { handoff, attempt }: Asked, sha256: string): boolean {
  if (row.actor === 'engine') {
    return SAYINGS.some((saying) => nodeHasher.sha256(jobAnswer(saying, run, handoff, attempt)) === sha256);
  }
  const text = new TextDecoder().decode(journal.bodies.get(sha256));
  return row.key?.startsWith('PostStep-') === true && / by hand /.test(text);
}
