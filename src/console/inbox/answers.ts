import type { InboxItem } from '../../client/index.js';
import { quoted } from '../parts/quoted.js';
import { isOfBridge, isOfSession, isTurn } from './item-words.js';
import { reachedLimit } from './reached-limit.js';

export type Said = { note: string };
/** One way to answer. */
export type AnswerSpec = {
  key: string;
  name: string;
  /** As in "Approved by you". */
  past: string;
  /** What it does, before it is given. */
  does: string;
  tone?: 'first' | 'ends';
  /** What may be written beside the answers, when that is not a note. */
  hint?: string;
  /** What the note is for, when it is needed. */
  needs?: 'guidance' | 'number' | 'words';
  /** What is written may have several lines. */
  isLong?: true;
  /** Nothing can be said beside it. */
  isMute?: true;
  /** Why it is not offered, when it is not. */
  barred?: string;
  /** It is more than an answer: the page of the run, or an act on its job. */
  instead?: { goTo: string } | { act: 'cancel' };
  body(said: Said): AnswerBody;
  flags(said: Said): string;
};
export type AnswerBody = {
  decision?: 'approve' | 'approve_for_session' | 'deny' | 'abort';
  guidance?: string;
  text?: string;
  raise?: number;
  always?: boolean;
};

const guided = ({ note }: Said) => (note === '' ? {} : { guidance: note });
const guidance = ({ note }: Said) => (note === '' ? '' : ` --guidance ${quoted(note)}`);
const NOTHING = { body: () => ({}), flags: () => '' };

function approve(name: string, does: string): AnswerSpec {
  const body = () => ({ decision: 'approve' }) as const;
  return { key: 'A', name, past: 'Approved', does, tone: 'first', body, flags: () => '--approve' };
}

function deny(key: string, name: string, does: string, more: Partial<AnswerSpec> = {}): AnswerSpec {
  const body = (said: Said) => ({ decision: 'deny', ...guided(said) }) as const;
  return { key, name, past: 'Denied', does, body, flags: (said) => `--deny${guidance(said)}`, ...more };
}

const withoutWords = {
  tone: 'ends',
  body: () => ({ decision: 'deny' }),
  flags: () => '--deny',
} as const satisfies Partial<AnswerSpec>;

function always({ details: { why } }: InboxItem, holds: boolean): AnswerSpec {
  const ofRule = typeof why === 'string' && why.startsWith('rule ');
  const barred = ofRule
    ? 'a rule asks for it every time. Take that back first: baton rule rm.'
    : 'no sandbox holds here, so a person decides every time.';
  return {
    ...{ key: 'W', name: 'Always approve', past: 'Always approved' },
    does: 'It runs now. A rule for this agent and repository is kept for 30 days.',
    ...((ofRule || !holds) && { barred }),
    body: () => ({ decision: 'approve', always: true }),
    flags: () => '--approve --always',
  };
}

function resubmit(does: string): AnswerSpec {
  return {
    ...{ key: 'R', name: 'Resubmit', past: 'Resubmitted', does, tone: 'first', needs: 'guidance' },
    body: guided,
    flags: (said) => guidance(said).trim() || "--guidance '…'",
  };
}

function raise(item: InboxItem): AnswerSpec {
  const { unit } = reachedLimit(item);
  return {
    ...{ key: 'R', name: 'Raise the limit', past: 'Limit raised', tone: 'first', needs: 'number' },
    does: `It goes on where it stopped, up to the new total${unit === '' ? '' : ` in ${unit}`}.`,
    body: ({ note }) => ({ raise: Number(note) }),
    flags: ({ note }) => `--raise ${note || 'N'}`,
  };
}

const ENDS = 'The job ends as CANCELED. Its branch and its log are kept.';
const DENY = deny('D', 'Deny', 'The agent is told no, with your note, and goes on without it.');
const REJECT = deny('R', 'Reject', 'The agent gets your words and works again. This costs another handoff.', {
  ...{ past: 'Rejected', needs: 'guidance' },
});
const ABORT: AnswerSpec = {
  ...{ key: 'X', name: 'Cancel the job', past: 'Job canceled', does: `Nothing of it runs. ${ENDS}`, tone: 'ends' },
  ...{ ...NOTHING, instead: { act: 'cancel' } },
};

function otherPhase({ run_id: run }: InboxItem): AnswerSpec {
  return {
    ...{ key: 'P', name: 'Other phase', past: '', ...NOTHING },
    does: 'On the page of the run: resubmit at another phase, or roll its files back.',
    instead: { goTo: `/runs/${encodeURIComponent(run)}?do=resubmit` },
  };
}

/** What can be answered to each kind of item, the first one first. `holds`: whether a sandbox holds agents here. */
export function answersTo(item: InboxItem, { holds = false } = {}): readonly AnswerSpec[] {
  switch (item.kind) {
    case 'exec_approval': {
      if (isOfSession(item)) return sessionAnswers(item, holds);
      const once = 'It runs this once, exactly as it stands above.';
      const host = typeof item.details.host === 'string';
      const does = host ? 'That one host is open to it for this handoff.' : once;
      return [approve('Approve once', does), always(item, holds), DENY, ...abortOf(item)];
    }
    case 'patch_approval':
      if (isOfSession(item)) return sessionAnswers(item, holds);
      return [approve('Approve', 'The change is made, exactly as it stands above.'), DENY, ...abortOf(item)];
    case 'approval':
      return [approve('Approve', 'The job ends as SUCCESS. Landing it is another step.'), REJECT];
    case 'protected':
      return [approve('Allow the change', 'The changed files count as they are, and the job goes on.'), REJECT];
    case 'limit':
      if (item.title.startsWith('the provider')) break;
      if (isOfLedger(item)) return [raise(item)];
      return [raise(item), deny('X', 'End the job', ENDS, { ...withoutWords, past: 'Job ended' })];
    case 'login':
      return [
        approve('It works again', 'Whoever is next tries this login at once.'),
        deny('D', 'Stop waiting', 'It is asked again like any other.', {
          ...withoutWords,
          past: 'No longer waited for',
        }),
      ];
    case 'blocker':
      return blockerAnswers(item);
    case 'clarification':
      return isOfBridge(item) ? bridgeAnswers() : [ownWords()];
    case 'confirmation':
      return confirmationAnswers(item);
    case 'landing':
      return [
        {
          ...resubmit('A new job brings the work onto the present branch, with your words.'),
          name: 'Send back',
          past: 'Sent back',
        },
        deny('D', 'Drop it', 'Nothing is landed. The branch is kept.', { ...withoutWords, past: 'Dropped' }),
      ];
    default:
      break;
  }
  if (isOfLedger(item)) return [approve('Go on', 'The run goes on where it stopped: what stood in its way is mended.')];
  if (isTurn(item)) return turnAnswers();
  return [
    resubmit('The same phase is asked again, with your words as guidance.'),
    otherPhase(item),
    deny('T', 'Terminate', ENDS, { ...withoutWords, past: 'Terminated' }),
  ];
}

/** It is about a whole run of the operator, not about one of its tasks. */
function isOfLedger({ details }: InboxItem): boolean {
  return 'limits' in details && 'spent' in details && !('phase' in details);
}

/** An attempt at a task is ended by its ledger. */
function abortOf({ details }: InboxItem): readonly AnswerSpec[] {
  return typeof details.ledger === 'string' ? [] : [ABORT];
}

/** Who goes on with a task that is blocked. Another agent is the first that is offered, or whoever is named beside. */
function blockerAnswers({ details }: InboxItem): readonly AnswerSpec[] {
  const agents = Array.isArray(details.agents) ? details.agents.map(String) : [];
  const named = ({ note }: Said): string => note.trim() || agents[0] || 'AGENT';
  const others = agents.length > 1 ? ` Name another one beside it: ${agents.slice(1).join(', ')}.` : '';
  return [
    {
      ...{
        key: '1',
        name: agents[0] === undefined ? 'Another agent' : `Give to ${agents[0]}`,
        past: 'Given to another agent',
      },
      does: `It begins again with another agent, from what is merged so far.${others}`,
      ...{ tone: 'first', hint: 'Another agent' },
      ...(agents.length === 0 && { barred: 'no other agent is registered: baton agent register.' }),
      body: (said) => ({ decision: 'approve', text: `agent ${named(said)}` }),
      flags: (said) => `--approve --text ${quoted(`agent ${named(said)}`)}`,
    },
    {
      ...{ key: '2', name: 'Same, longer', past: 'Given more time' },
      does: 'The same agent begins again, with twice the time before it counts as silent.',
      body: () => ({ decision: 'approve' }),
      flags: () => '--approve',
    },
    deny('F', 'Give up', 'The task counts as failed. What depends on it cannot begin.', {
      ...withoutWords,
      past: 'Given up',
    }),
  ];
}

function ownWords(): AnswerSpec {
  return {
    ...{ key: '⏎', name: 'Send the answer', past: 'Answered', tone: 'first', needs: 'words', hint: 'Your answer' },
    does: 'It goes on at once, with your words.',
    body: ({ note }) => ({ text: note }),
    flags: ({ note }) => `--text ${note === '' ? "'…'" : quoted(note)}`,
  };
}

/** What a model wants to do: once, in this session, or not. What is allowed is done as it stands, so words go with a no. */
function sessionAnswers(item: InboxItem, holds: boolean): readonly AnswerSpec[] {
  const isPatch = item.kind === 'patch_approval';
  const what = isPatch ? 'The change is made' : 'It runs';
  return [
    approve('Approve once', `${what} this once, exactly as it stands above.`),
    {
      ...{ key: 'S', name: 'Approve for session', past: 'Approved for the session' },
      does: `${what} now, and exactly the same again in this session without asking.`,
      body: () => ({ decision: 'approve_for_session' }),
      flags: () => '--for-session',
    },
    ...(isPatch ? [] : [alwaysInSessions(item, holds)]),
    deny('D', 'Deny', 'The model is told no, with your note, and goes on without it.'),
    {
      ...{ key: 'X', name: 'Abort task', past: 'Task aborted', tone: 'ends' },
      does: 'Nothing of it runs and the task ends. The session takes new input.',
      body: () => ({ decision: 'abort' }),
      flags: () => '--abort',
    },
  ];
}

function alwaysInSessions(item: InboxItem, holds: boolean): AnswerSpec {
  const { argv, where } = item.details;
  const answer = always(item, holds);
  if (where === 'outside') return { ...answer, barred: 'it leaves the sandbox, so a person decides every time.' };
  return Array.isArray(argv) ? answer : { ...answer, barred: 'rules are for commands.' };
}

/** Whoever answers for an agent gives its text, or says that there will be none. */
function bridgeAnswers(): readonly AnswerSpec[] {
  return [
    { ...ownWords(), key: '⌃⏎', isLong: true, does: 'The text is the answer. The orchestrator is resumed with it.' },
    {
      ...deny('D', 'Do not answer', 'The orchestrator is told “cancelled”, and goes on without an answer.'),
      ...{ ...withoutWords, past: 'Cancelled' },
    },
  ];
}

/** The answer repeats what it does, so that nobody agrees to a number he has not seen. */
function confirmationAnswers({ details: { steps } }: InboxItem): readonly AnswerSpec[] {
  const count = Array.isArray(steps) ? steps.length : 0;
  const what = count === 0 ? 'go on' : `run ${count === 1 ? '1 step' : `${count} steps`}`;
  return [
    {
      ...approve(`Yes, ${what}`, count === 0 ? 'It goes on.' : 'They run in this order, exactly as they stand above.'),
      ...{ key: 'Y', past: 'Agreed to', isMute: true },
    },
    {
      ...deny('N', 'No', 'Nothing of it runs, and the envelope ends as denied. It does not go on after that.'),
      ...{ isMute: true, body: () => ({ decision: 'deny' }), flags: () => '--deny' },
    },
  ];
}

function turnAnswers(): readonly AnswerSpec[] {
  return [
    {
      ...approve('Done', 'The phase counts as completed, with your note as its summary.'),
      past: 'Done',
      body: ({ note }) => ({ decision: 'approve', ...(note !== '' && { text: note }) }),
      flags: ({ note }) => `--approve${note === '' ? '' : ` --text ${quoted(note)}`}`,
    },
    deny('D', 'Not done', 'A review sends it back; other work counts as stuck.', { past: 'Not done, said' }),
  ];
}

export function commandOf({ item, run_id: run }: InboxItem, answer: AnswerSpec, said: Said): string {
  if (answer.instead)
    return 'act' in answer.instead ? `baton job cancel ${run}` : `baton job resubmit ${run} --phase PHASE`;
  return `baton answer ${item} ${answer.flags(said)}`.trim();
}
