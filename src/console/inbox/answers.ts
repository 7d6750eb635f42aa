import type { InboxItem } from '../../client/index.js';
import { isTurn } from './item-words.js';

export type Said = { note: string };
/** One way to answer. `send` says it to the server; undefined where something has to be said with it first. */
export type AnswerSpec = {
  key: string;
  name: string;
  /** What it does, before it is given. */
  does: string;
  tone?: 'first' | 'ends';
  /** What the note is for, when it is needed. */
  needs?: 'guidance' | 'number';
  body(said: Said): AnswerBody;
  flags(said: Said): string;
};
export type AnswerBody = {
  decision?: 'approve' | 'deny';
  guidance?: string;
  text?: string;
  raise?: number;
  always?: boolean;
};

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const guided = ({ note }: Said) => (note === '' ? {} : { guidance: note });
const guidance = ({ note }: Said) => (note === '' ? '' : ` --guidance ${quoted(note)}`);

function approve(name: string, does: string): AnswerSpec {
  const body = () => ({ decision: 'approve' }) as const;
  return { key: 'A', name, does, tone: 'first', body, flags: () => '--approve' };
}

function deny(key: string, name: string, does: string, more: Partial<AnswerSpec> = {}): AnswerSpec {
  const body = (said: Said) => ({ decision: 'deny', ...guided(said) }) as const;
  return { key, name, does, body, flags: (said) => `--deny${guidance(said)}`, ...more };
}

const withoutWords = {
  tone: 'ends',
  body: () => ({ decision: 'deny' }),
  flags: () => '--deny',
} as const satisfies Partial<AnswerSpec>;

const ALWAYS: AnswerSpec = {
  ...{
    key: 'W',
    name: 'Always approve',
    does: 'It runs now. A rule for this agent and repository is kept for 30 days.',
  },
  body: () => ({ decision: 'approve', always: true }),
  flags: () => '--approve --always',
};

function resubmit(does: string): AnswerSpec {
  return {
    ...{ key: 'R', name: 'Resubmit', does, tone: 'first', needs: 'guidance' },
    body: guided,
    flags: (said) => guidance(said).trim(),
  };
}

const RAISE: AnswerSpec = {
  ...{ key: 'R', name: 'Raise the limit', does: 'It goes on where it stopped, up to the new total.' },
  ...{ tone: 'first', needs: 'number' },
  body: ({ note }) => ({ raise: Number(note) }),
  flags: ({ note }) => `--raise ${note || 'N'}`,
};

const ENDS = 'The job ends as CANCELED. Its branch and its log are kept.';
const REJECT = deny('R', 'Reject', 'The agent gets your words and works again. This costs another handoff.', {
  needs: 'guidance',
});

/** What can be answered to each kind of item, the first one first. */
export function answersTo(item: InboxItem): readonly AnswerSpec[] {
  switch (item.kind) {
    case 'exec_approval':
      return [
        approve('Approve once', 'It runs this once, exactly as it stands above.'),
        ALWAYS,
        deny('D', 'Deny', 'The agent is told no, with your note, and goes on without it.'),
      ];
    case 'patch_approval':
      return [
        approve('Approve', 'The change is made, exactly as it stands above.'),
        deny('D', 'Deny', 'The agent is told no, with your note, and goes on without it.'),
      ];
    case 'approval':
      return [approve('Approve', 'The job ends as SUCCESS. Landing it is another step.'), REJECT];
    case 'protected':
      return [approve('Allow the change', 'The changed files count as they are, and the job goes on.'), REJECT];
    case 'limit':
      if (item.title.startsWith('the provider')) break;
      return [RAISE, deny('X', 'End the job', ENDS, withoutWords)];
    case 'login':
      return [
        approve('It works again', 'Whoever is next tries this login at once.'),
        deny('D', 'Stop waiting', 'It is asked again like any other.', { ...withoutWords, tone: 'ends' }),
      ];
    case 'landing':
      return [
        { ...resubmit('The job works on it again, with your words.'), name: 'Send back' },
        deny('D', 'Drop it', 'Nothing is landed. The branch is kept.', withoutWords),
      ];
    default:
      break;
  }
  if (isTurn(item)) {
    return [
      {
        ...approve('Done', 'The phase counts as completed, with your note as its summary.'),
        body: ({ note }) => ({ decision: 'approve', ...(note !== '' && { text: note }) }),
        flags: ({ note }) => `--approve${note === '' ? '' : ` --text ${quoted(note)}`}`,
      },
      deny('D', 'Not done', 'A review sends it back; other work counts as stuck.'),
    ];
  }
  return [
    resubmit('The same phase is asked again, with your words as guidance.'),
    deny('T', 'Terminate', ENDS, withoutWords),
  ];
}

export function commandOf(item: InboxItem, answer: AnswerSpec, said: Said): string {
  return `baton answer ${item.item} ${answer.flags(said)}`.trim();
}
