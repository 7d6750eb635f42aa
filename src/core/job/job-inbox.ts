import type { InboxChange, InboxKind } from '../kernel/inbox.js';
import { wantedQuestion } from '../kernel/wanted-words.js';
import { ANSWER_ROWS, FAILURE_ROWS } from './job-matrix.js';
import type { JobEvent, Rest } from './job-messages.js';

type Asked = { kind: InboxKind; title: string; question: string };

const QUESTIONS: Readonly<Record<Rest, Asked>> = {
  stuck: asked('intervention', 'stuck', 'The agent says it cannot go on. Give guidance, or end the job?'),
  approval: asked('approval', 'approve the work', 'All phases are completed. Is it done?'),
  limit: asked('limit', 'limit reached', 'Raise the limit, or end the job?'),
  tries: asked('intervention', 'sent back three times', 'The same phase was sent back three times. Give guidance?'),
  protected: asked(
    'protected',
    'protected files changed',
    'The agent changed protected files. Look at the diff: allow it?',
  ),
  provider: asked(
    'limit',
    'the provider asks to wait',
    'The provider of the agent asks for a long wait. Resubmit tries again now; or end the job?',
  ),
  ...byRow(ANSWER_ROWS),
  ...byRow(withoutLimit()),
};

/** What an event asks of a person, or which question it closes. */
export function inboxOf(event: JobEvent): InboxChange | undefined {
  if (event.type === 'JobRested') return { open: { key: keyOf(event.question), ...QUESTIONS[event.why] } };
  if (event.type === 'HandoffAsked') return turnOf(event);
  if (event.type === 'ApprovalAsked') return wantedOf(event);
  if ('question' in event && event.question !== null && event.type !== 'StewardNotified') {
    return { close: keyOf(event.question) };
  }
  return undefined;
}

/** Whoever is a person finds in the inbox that it is their turn. */
function turnOf({ phase, question }: Extract<JobEvent, { type: 'HandoffAsked' }>): InboxChange | undefined {
  if (question === undefined) return undefined;
  return {
    open: { key: keyOf(question), ...asked('intervention', `your turn: ${phase}`, `The phase ${phase} is yours.`) },
  };
}

function wantedOf({ wanted, question }: Extract<JobEvent, { type: 'ApprovalAsked' }>): InboxChange {
  return { open: { key: keyOf(question), ...wantedQuestion(wanted) } };
}

function keyOf(question: number): string {
  return `steward-${question}`;
}

export function isAbout(key: string, question: number | null): boolean {
  return question !== null && key === keyOf(question);
}

function asked(kind: InboxKind, title: string, question: string): Asked {
  return { kind, title, question };
}

function byRow<Name extends string>(rows: Readonly<Record<Name, { hint: string }>>): Record<Name, Asked> {
  const entries = Object.entries<{ hint: string }>(rows).map(([name, { hint }]) => [
    name,
    asked('intervention', name, hint),
  ]);
  return Object.fromEntries(entries) as Record<Name, Asked>;
}

function withoutLimit() {
  const { limit: _, ...rows } = FAILURE_ROWS;
  return rows;
}
