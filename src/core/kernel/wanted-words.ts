import type { Wanted } from './effect.js';
import type { InboxKind } from './inbox.js';

const VERBS: Readonly<Record<Wanted['kind'], string>> = { exec: 'run:', patch: 'change:', network: 'reach' };

/** What an agent wants to do, behind the words "it asks whether it may". */
export function wantedWords({ kind, what }: Pick<Wanted, 'kind' | 'what'>): string {
  return `${VERBS[kind]} ${what}`;
}

const QUESTIONS: Readonly<Record<Wanted['kind'], { kind: InboxKind; title: string }>> = {
  exec: { kind: 'exec_approval', title: 'approve command' },
  patch: { kind: 'patch_approval', title: 'approve change' },
  network: { kind: 'exec_approval', title: 'approve network' },
};

/** As it stands in the inbox. */
export function wantedQuestion({ kind, what }: Wanted): { kind: InboxKind; title: string; question: string } {
  return { ...QUESTIONS[kind], question: what };
}
