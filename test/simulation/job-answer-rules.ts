import type { JobEvent } from '../../src/core/job/job-messages.js';
import type { Rule, Step } from './job-rule.js';
import { nodeHasher } from './node-hasher.js';
import { jobAnswer, SAYINGS } from './sim-answers.js';
import { requestText } from './sim-deeds.js';

/** Then an answer cannot be looked at, and a person is called. */
const NOT_LOOKED_AT: ReadonlySet<string | null> = new Set(['workspace', 'disk-full']);

type Asked = Extract<JobEvent, { type: 'HandoffAsked' }>;
type Under = { asked: Asked; key: string | null; answer: string | null; collected: boolean };

/** What simulated agents were asked and say is known word by word. */
export const ANSWER_RULES: Readonly<Record<string, Rule>> = {
  'an answer is the answer to its ask, is read once and is not dropped': () => {
    let under: Under | undefined;
    return (step) => {
      const { event, row } = step;
      const handedIn = under?.asked.byHand && under.asked.question === undefined && under.answer === null;
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
          const dropped = under && under.answer !== null && !under.collected && !NOT_LOOKED_AT.has(event.cause);
          under = undefined;
          return dropped ? 'its answer was never read' : undefined;
        }
        default:
          return undefined;
      }
    };
  },

  'work is not done before its agent has heard what it was told': () => {
    let unheard = false;
    let byHand = false;
    return ({ event, before }) => {
      // Who gets the answer to its question may go on without any other word.
      const speechless = before.verdict !== null;
      const late = ['asking', 'approving', 'collecting', 'checking'].includes(before.stage.name);
      if (event.type === 'AdviceGiven') unheard = late || speechless;
      if (event.type === 'HandoffAsked') [unheard, byHand] = [unheard && speechless, event.byHand];
      if (event.type === 'HandoffAnswered') byHand ||= event.request === null;
      const done = event.type === 'HandoffEnded' && event.action === 'COMPLETED' && event.cause === null;
      return done && unheard && !byHand ? 'it was told something meanwhile' : undefined;
    };
  },

  'an agent was asked what the facts say': () => {
    return ({ run, before, event }) => {
      if (event.type !== 'HandoffAnswered' && event.type !== 'HandoffEnded') return undefined;
      const { request } = event;
      if (request === null || before.workspace === null) return undefined;
      const { workspace, guidance, unheard } = before;
      // What was said after it was asked may have come too late for the request, or just in time.
      const heard = [guidance, guidance.slice(0, guidance.length - unheard)];
      const texts = heard.map((advice) => requestText(run, { ...before, guidance: advice, workspace }));
      return texts.some((text) => request.sha256 === nodeHasher.sha256(text)) ? undefined : `not ${texts[0]}`;
    };
  },
};

/** By whom it was given tells which text it must be. */
function isAnswerTo({ run, row, body }: Step, { handoff, attempt }: Asked, sha256: string): boolean {
  if (row.actor === 'engine') {
    return SAYINGS.some((saying) => nodeHasher.sha256(jobAnswer(saying, run, handoff, attempt)) === sha256);
  }
  const text = new TextDecoder().decode(body(sha256));
  return row.key?.startsWith('PostStep-') === true && / by hand /.test(text);
}
